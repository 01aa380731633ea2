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
  EW_INSTALL_DATADIR="${CMAKE_INSTALL_FULL_DATADIR}/edgewise")
target_compile_options(ew_build INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla -Werror=implicit-function-declaration)

# Hardening, which costs nothing that can be measured: kernels of the device `c` are compiled apart, by the program. Not beside
# sanitizers, which check the same and more; fortified functions need an optimising build.
option(EW_HARDEN "Fortified functions, stack protector, read-only relocations" ON)
if(EW_HARDEN AND NOT EW_SANITIZE AND NOT EW_FUZZ AND NOT EW_COVERAGE)
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS "-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -Werror")
  check_c_source_compiles("#include <stdio.h>
    #if __USE_FORTIFY_LEVEL < 3
    #error no level 3
    #endif
    int main(void) { return 0; }" EW_FORTIFY_3)
  unset(CMAKE_REQUIRED_FLAGS)
  set(ew_fortify $<IF:$<BOOL:${EW_FORTIFY_3}>,3,2>)
  target_compile_options(ew_build INTERFACE
    $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE$<SEMICOLON>-D_FORTIFY_SOURCE=${ew_fortify}>
    -fstack-protector-strong)
  target_link_options(ew_build INTERFACE -Wl,-z,relro,-z,now)
endif()

# Builds that are to be handed on name no folder of the machine that made them, and are the same bytes wherever they are made. Those
# with tests are for developers, whose debuggers find the sources by the whole path.
if(NOT BUILD_TESTING)
  target_compile_options(ew_build INTERFACE "-ffile-prefix-map=${PROJECT_BINARY_DIR}=build" "-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.")
endif()

if(EW_SANITIZE)
  target_compile_options(ew_build INTERFACE -fsanitize=${EW_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  target_link_options(ew_build INTERFACE -fsanitize=${EW_SANITIZE})
endif()
if(EW_DEFECTS)
  target_compile_definitions(ew_build INTERFACE EW_DEFECTS)
endif()
if(EW_COVERAGE)
  target_compile_options(ew_build INTERFACE --coverage)
  # processes that end by _exit keep what they counted
  add_library(ew_coverage_exit STATIC "${PROJECT_SOURCE_DIR}/tests/coverage/exit.c")
  target_link_options(ew_build INTERFACE --coverage -Wl,--wrap=_exit)
  target_link_libraries(ew_build INTERFACE ew_coverage_exit)
endif()
if(EW_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "EW_FUZZ needs clang; use `cmake --preset fuzz`.")
  endif()
  target_compile_options(ew_build INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(ew_build INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Programs of the build tree find what they ship as installed ones do (dslc/base/shipped.h).
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/share/edgewise")
foreach(folder schemes generated/profiles)
  get_filename_component(name ${folder} NAME)
  if(EXISTS "${PROJECT_SOURCE_DIR}/${folder}")
    file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${folder}" "${PROJECT_BINARY_DIR}/share/edgewise/${name}" SYMBOLIC)
  endif()
endforeach()

# ew_add_parts(DIR...): adds those of the named subdirectories that hold a CMakeLists.txt.
function(ew_add_parts)
  foreach(dir IN LISTS ARGN)
    if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${dir}/CMakeLists.txt")
      add_subdirectory(${dir})
    endif()
  endforeach()
endfunction()
