# Debian packages by CPack, one for each component of EdgewiseInstall.cmake; tests/packages/build.sh makes them:
#   cmake -DEW_DEBIAN=ON -DBUILD_TESTING=OFF -DCMAKE_INSTALL_PREFIX=/usr ... && cpack
# What they contain depends on the time only by SOURCE_DATE_EPOCH.
if(NOT EW_DEBIAN)
  return()
endif()

set(EW_MAINTAINER "The Edgewise maintainers <maintainers@edgewise.invalid>" CACHE STRING "Of Debian packages: name and address")
set(components edgewise ${EW_LIBRARY_COMPONENT} libedgewise-dev edgewise-data)

# ---- what Debian wants of every package: licence and changes ----

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # SOURCE_DATE_EPOCH, if it is set
file(WRITE "${PROJECT_BINARY_DIR}/debian/changelog"
     "edgewise (${PROJECT_VERSION}) unstable; urgency=medium\n\n  * See CHANGELOG.md in the package edgewise.\n\n -- ${EW_MAINTAINER}  ${date}\n")
file(READ "${PROJECT_SOURCE_DIR}/LICENSE" licence)
string(REGEX REPLACE "^MIT License\n\nCopyright \\(c\\) ([^\n]*)\n\n" "" licence_body "${licence}")
string(REGEX MATCH "Copyright \\(c\\) [^\n]*" copyright_line "${licence}")
string(REPLACE "Copyright (c) " "" copyright_line "${copyright_line}")
string(REPLACE "\n\n" "\n.\n" licence_body "${licence_body}")
string(REPLACE "\n" "\n " licence_body "${licence_body}")
string(STRIP "${licence_body}" licence_body)
file(READ "${PROJECT_SOURCE_DIR}/LICENSE.DejaVu" font_body)
string(STRIP "${font_body}" font_body)
string(REPLACE "\n\n" "\n.\n" font_body "${font_body}")
string(REPLACE "\n" "\n " font_body "${font_body}")
file(WRITE "${PROJECT_BINARY_DIR}/debian/copyright"
     "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: edgewise\n\nFiles: *\nCopyright: ${copyright_line}\nLicense: Expat\n ${licence_body}\n\nFiles: runtime/drawing/font_table.h\nCopyright: 2003 Bitstream, Inc.\nLicense: bitstream-vera\n ${font_body}\n")
execute_process(COMMAND gzip -9nkf "${PROJECT_BINARY_DIR}/debian/changelog" COMMAND_ERROR_IS_FATAL ANY)
foreach(component IN LISTS components)
  install(FILES "${PROJECT_BINARY_DIR}/debian/copyright" "${PROJECT_BINARY_DIR}/debian/changelog.gz"
          DESTINATION share/doc/${component} COMPONENT ${component})
endforeach()

# ---- the packages ----

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME edgewise)
set(CPACK_PACKAGE_CONTACT "${EW_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${EW_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL ${components})
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY "=")

# ew_package(COMPONENT TITLE TEXT [settings NAME VALUE ...])
function(ew_package component title text)
  string(TOUPPER "${component}" upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${component} PARENT_SCOPE)
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${title}\n${text}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${title}\n${text}" PARENT_SCOPE)
  while(ARGN)
    list(POP_FRONT ARGN name value)
    set(CPACK_DEBIAN_${upper}_${name} "${value}" PARENT_SCOPE)
  endwhile()
endfunction()

# gcc itself: others provide c-compiler without the command cc
set(drivers "pocl-opencl-icd | opencl-icd, gcc, libc6-dev")
ew_package(edgewise "numerical schemes on meshes and grids, on any OpenCL device"
  "Runs cases set up in Lua with schemes written much as papers print them; the
compiler dslc turns these into OpenCL kernels or plain C."
  PACKAGE_SHLIBDEPS ON
  PACKAGE_DEPENDS "edgewise-data (= ${PROJECT_VERSION})"
  PACKAGE_RECOMMENDS "${drivers}"
  PACKAGE_SUGGESTS "gmsh")
ew_package(${EW_LIBRARY_COMPONENT} "numerical schemes inside other programs"
  "The runtime of Edgewise as a shared library: a case is advanced by steps, its
fields are seen where they lie."
  PACKAGE_SHLIBDEPS ON
  PACKAGE_SECTION libs
  PACKAGE_DEPENDS "edgewise-data (= ${PROJECT_VERSION})"
  PACKAGE_RECOMMENDS "${drivers}"
  PACKAGE_CONTROL_EXTRA "${PROJECT_BINARY_DIR}/debian/triggers")
ew_package(libedgewise-dev "numerical schemes inside other programs: development files"
  "Header, pkg-config and CMake files of libedgewise; the compiler dslc as a
static library."
  PACKAGE_SECTION libdevel
  PACKAGE_DEPENDS "${EW_LIBRARY_COMPONENT} (= ${PROJECT_VERSION}), libcjson-dev")
ew_package(edgewise-data "numerical schemes on meshes and grids: schemes and cases"
  "The schemes that are shipped with Edgewise, and cases to begin with."
  PACKAGE_ARCHITECTURE all)
file(WRITE "${PROJECT_BINARY_DIR}/debian/triggers" "activate-noawait ldconfig\n")

include(CPack)
