# How every target of the project is compiled. Linked as `ew_build`, never exported.

# Assertions stay on in Release: they guard invariants on paths that are not hot.
set(CMAKE_C_FLAGS_RELEASE "-O2 -g")

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")

add_compile_definitions(_GNU_SOURCE)
add_library(ew_build INTERFACE)
target_compile_definitions(ew_build INTERFACE
  EW_VERSION="${PROJECT_VERSION}"
  # Shipped schemes are looked for here first (build tree), then in the installed place.
  EW_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
  EW_INSTALL_DATADIR="${CMAKE_INSTALL_FULL_DATADIR}/edgewise")
target_compile_options(ew_build INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla -Werror=implicit-function-declaration)

if(EW_SANITIZE)
  target_compile_options(ew_build INTERFACE -fsanitize=${EW_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  target_link_options(ew_build INTERFACE -fsanitize=${EW_SANITIZE})
endif()
if(EW_COVERAGE)
  target_compile_options(ew_build INTERFACE --coverage)
  target_link_options(ew_build INTERFACE --coverage)
endif()
if(EW_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "EW_FUZZ needs clang; use `cmake --preset fuzz`.")
  endif()
  target_compile_options(ew_build INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(ew_build INTERFACE -fsanitize=fuzzer-no-link)
endif()

# ew_add_parts(DIR...): adds those of the named subdirectories that hold a CMakeLists.txt.
function(ew_add_parts)
  foreach(dir IN LISTS ARGN)
    if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${dir}/CMakeLists.txt")
      add_subdirectory(${dir})
    endif()
  endforeach()
endfunction()
