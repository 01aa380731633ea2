# Libraries from outside. Each is looked for in EW_DEPS_PREFIX, then CMAKE_PREFIX_PATH, then
# where pkg-config points, then in the system's folders.

if(EW_DEPS_PREFIX)
  list(PREPEND CMAKE_PREFIX_PATH "${EW_DEPS_PREFIX}/usr" "${EW_DEPS_PREFIX}")
  list(PREPEND CMAKE_LIBRARY_PATH "${EW_DEPS_PREFIX}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}"
       "${EW_DEPS_PREFIX}/usr/lib/x86_64-linux-gnu")
  list(PREPEND CMAKE_INCLUDE_PATH "${EW_DEPS_PREFIX}/usr/include"
       "${EW_DEPS_PREFIX}/usr/include/${CMAKE_LIBRARY_ARCHITECTURE}")
endif()

find_package(PkgConfig QUIET)

# ew_import(NAME HEADER h LIBRARY names... [PKG modules...] [SUBDIRS dirs...] [DEBIAN package] [OPTIONAL])
# Defines the imported target ew::NAME, or stops and names the Debian package to install.
function(ew_import name)
  cmake_parse_arguments(arg "OPTIONAL" "HEADER;DEBIAN" "LIBRARY;PKG;SUBDIRS" ${ARGN})
  if(PkgConfig_FOUND AND arg_PKG)
    pkg_search_module(EW_PC_${name} QUIET ${arg_PKG})
  endif()
  find_path(EW_${name}_INCLUDE ${arg_HEADER} PATH_SUFFIXES ${arg_SUBDIRS}
            HINTS ${EW_PC_${name}_INCLUDE_DIRS})
  find_library(EW_${name}_LIBRARY NAMES ${arg_LIBRARY} HINTS ${EW_PC_${name}_LIBRARY_DIRS})
  mark_as_advanced(EW_${name}_INCLUDE EW_${name}_LIBRARY)
  if(EW_${name}_INCLUDE AND EW_${name}_LIBRARY)
    add_library(ew::${name} UNKNOWN IMPORTED GLOBAL)
    set_target_properties(ew::${name} PROPERTIES
      IMPORTED_LOCATION "${EW_${name}_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${EW_${name}_INCLUDE}")
  elseif(NOT arg_OPTIONAL)
    message(FATAL_ERROR "Cannot find ${arg_HEADER} and its library (${arg_LIBRARY}). "
            "On Debian: apt-get install ${arg_DEBIAN}; elsewhere set CMAKE_PREFIX_PATH or EW_DEPS_PREFIX.")
  endif()
endfunction()

find_package(OpenCL REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PNG REQUIRED)
find_package(Threads REQUIRED)

ew_import(cjson HEADER cJSON.h SUBDIRS cjson LIBRARY cjson PKG libcjson DEBIAN libcjson-dev)
ew_import(xxhash HEADER xxhash.h LIBRARY xxhash PKG libxxhash DEBIAN libxxhash-dev)
ew_import(lua HEADER lua.h SUBDIRS lua5.4 lua54 LIBRARY lua5.4 lua54 lua-5.4
          PKG lua5.4 lua-5.4 lua54 DEBIAN liblua5.4-dev OPTIONAL)
if(NOT TARGET ew::lua)
  # Some distributions name it plain "lua"; FindLua knows their layouts.
  find_package(Lua 5.4 REQUIRED)
  add_library(ew::lua INTERFACE IMPORTED GLOBAL)
  target_include_directories(ew::lua INTERFACE "${LUA_INCLUDE_DIR}")
  target_link_libraries(ew::lua INTERFACE ${LUA_LIBRARIES})
endif()
# Debian's luaconf.h includes a header from the architecture's folder, where compilers look only among installed packages.
find_path(EW_lua_arch_INCLUDE lua5.4-deb-multiarch.h)
mark_as_advanced(EW_lua_arch_INCLUDE)
if(EW_lua_arch_INCLUDE)
  target_include_directories(ew::lua SYSTEM INTERFACE "${EW_lua_arch_INCLUDE}")
endif()
if(BUILD_TESTING)
  ew_import(cmocka HEADER cmocka.h LIBRARY cmocka PKG cmocka DEBIAN libcmocka-dev OPTIONAL)
endif()

# What is installed finds libraries in other folders than the system's where the build found them.
foreach(library IN LISTS OpenCL_LIBRARIES ZLIB_LIBRARIES PNG_LIBRARIES EW_cjson_LIBRARY EW_xxhash_LIBRARY EW_lua_LIBRARY LUA_LIBRARIES)
  if(EXISTS "${library}")
    get_filename_component(folder "${library}" REALPATH)
    get_filename_component(folder "${folder}" DIRECTORY)
    if(library MATCHES "\\.so" AND NOT folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
      list(APPEND CMAKE_INSTALL_RPATH "${folder}")
    endif()
  endif()
endforeach()
if(CMAKE_INSTALL_RPATH)
  list(REMOVE_DUPLICATES CMAKE_INSTALL_RPATH)
endif()
