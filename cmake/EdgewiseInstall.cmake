# What `cmake --install` lays down, in four components, which are also the Debian packages:
#   edgewise          programs, manual pages, documentation
#   libedgewiseN      libedgewise.so.N, the runtime for other programs
#   libedgewise-dev   its header, edgewise.pc, the CMake package `edgewise`; the compiler as a static library (edgewise::dslc, dslc.pc)
#   edgewise-data     schemes, cases
# Programs and library find the data relative to themselves (dslc/base/shipped.h): the tree can be moved. For the Python package there is a
# component of its own, `python`, which lays library and schemes into one folder.
include(CMakePackageConfigHelpers)

set(EW_LIBRARY_COMPONENT libedgewise${EW_ABI})
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/edgewise")

# ---- the Python package: nothing else is installed ----

if(SKBUILD)
  install(TARGETS edgewise_shared LIBRARY DESTINATION lib COMPONENT python)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/schemes" DESTINATION share/edgewise COMPONENT python
          FILES_MATCHING PATTERN "*.ew")
  return()
endif()

# ---- programs ----

install(TARGETS dslc edgewise RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT edgewise)
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${PROJECT_SOURCE_DIR}/CONTRIBUTING.md"
              "${PROJECT_SOURCE_DIR}/SECURITY.md"
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/edgewise COMPONENT edgewise)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/edgewise COMPONENT edgewise)
# What the pages link to lies elsewhere: the cases among the data, in Debian's packages the licence in `copyright`.
file(RELATIVE_PATH doc_to_data "/${CMAKE_INSTALL_DATADIR}/doc/edgewise" "/${CMAKE_INSTALL_DATADIR}/edgewise")
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/links")
file(CREATE_LINK "${doc_to_data}/cases" "${PROJECT_BINARY_DIR}/links/cases" SYMBOLIC)
if(EW_DEBIAN)
  file(CREATE_LINK copyright "${PROJECT_BINARY_DIR}/links/LICENSE" SYMBOLIC)
endif()
install(DIRECTORY "${PROJECT_BINARY_DIR}/links/" DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/edgewise COMPONENT edgewise)

if(NOT EW_DEBIAN) # there they are `copyright`
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/LICENSE.DejaVu" # the latter of the letters in pictures
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/edgewise COMPONENT edgewise)
endif()

# The programs write their manual pages themselves, from the tables that they read their options with.
if(NOT CMAKE_CROSSCOMPILING)
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/man")
  foreach(tool dslc edgewise)
    set(page "${PROJECT_BINARY_DIR}/man/${tool}.1")
    add_custom_command(OUTPUT "${page}" COMMAND ${tool} help --man > "${page}" DEPENDS ${tool} VERBATIM)
    if(EW_DEBIAN)
      add_custom_command(OUTPUT "${page}.gz" COMMAND gzip -9nkf "${page}" DEPENDS "${page}" VERBATIM)
      set(page "${page}.gz")
    endif()
    list(APPEND man_pages "${page}")
  endforeach()
  add_custom_target(man ALL DEPENDS ${man_pages})
  install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT edgewise)
endif()

# ---- library and development files ----

install(TARGETS edgewise_shared EXPORT edgewiseTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${EW_LIBRARY_COMPONENT} NAMELINK_COMPONENT libedgewise-dev)
install(FILES "${PROJECT_SOURCE_DIR}/runtime/api/edgewise.h" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT libedgewise-dev)
install(TARGETS dslc_lib EXPORT dslcTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libedgewise-dev)
install(FILES "${PROJECT_SOURCE_DIR}/dslc/dslc.h" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/dslc
        COMPONENT libedgewise-dev)

foreach(set edgewise dslc)
  install(EXPORT ${set}Targets NAMESPACE edgewise:: DESTINATION ${package_dir} COMPONENT libedgewise-dev)
endforeach()
configure_package_config_file(cmake/edgewiseConfig.cmake.in "${PROJECT_BINARY_DIR}/edgewiseConfig.cmake"
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/edgewiseConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/edgewiseConfig.cmake" "${PROJECT_BINARY_DIR}/edgewiseConfigVersion.cmake"
        DESTINATION ${package_dir} COMPONENT libedgewise-dev)

# Relative to the .pc file, so that an installed tree can be moved.
file(RELATIVE_PATH pc_to_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
foreach(module edgewise dslc)
  configure_file(cmake/${module}.pc.in "${PROJECT_BINARY_DIR}/${module}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${module}.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
          COMPONENT libedgewise-dev)
endforeach()

# ---- data ----

install(DIRECTORY "${PROJECT_SOURCE_DIR}/schemes" DESTINATION ${CMAKE_INSTALL_DATADIR}/edgewise COMPONENT edgewise-data
        FILES_MATCHING PATTERN "*.ew")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/cases" DESTINATION ${CMAKE_INSTALL_DATADIR}/edgewise COMPONENT edgewise-data
        PATTERN "out" EXCLUDE PATTERN ".gitignore" EXCLUDE)
if(EXISTS "${PROJECT_SOURCE_DIR}/generated/profiles")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/generated/profiles" DESTINATION ${CMAKE_INSTALL_DATADIR}/edgewise
          COMPONENT edgewise-data)
endif()
