# What `cmake --install` lays down: the tools, the compiler as a library (header, .pc, CMake
# package `edgewise` with target edgewise::dslc), the shipped schemes and the man pages.
include(CMakePackageConfigHelpers)

foreach(tool dslc edgewise)
  if(TARGET ${tool})
    install(TARGETS ${tool} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endforeach()

install(TARGETS dslc_lib EXPORT edgewiseTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES "${PROJECT_SOURCE_DIR}/dslc/dslc.h" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/dslc)

install(DIRECTORY "${PROJECT_SOURCE_DIR}/schemes" DESTINATION ${CMAKE_INSTALL_DATADIR}/edgewise
        FILES_MATCHING PATTERN "*.ew")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/cases" DESTINATION ${CMAKE_INSTALL_DATADIR}/edgewise
        PATTERN "out" EXCLUDE)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md"
        DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The programs write their man pages themselves, from the tables that they read their options with.
foreach(tool dslc edgewise)
  if(TARGET ${tool} AND NOT CMAKE_CROSSCOMPILING)
    add_custom_command(OUTPUT "${PROJECT_BINARY_DIR}/man/${tool}.1"
                       COMMAND ${tool} help --man > "${PROJECT_BINARY_DIR}/man/${tool}.1"
                       DEPENDS ${tool} VERBATIM)
    list(APPEND man_pages "${PROJECT_BINARY_DIR}/man/${tool}.1")
  endif()
endforeach()
if(man_pages)
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/man")
  add_custom_target(man ALL DEPENDS ${man_pages})
  install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# The CMake package.
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/edgewise")
install(EXPORT edgewiseTargets NAMESPACE edgewise:: DESTINATION ${package_dir})
configure_package_config_file(cmake/edgewiseConfig.cmake.in "${PROJECT_BINARY_DIR}/edgewiseConfig.cmake"
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/edgewiseConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/edgewiseConfig.cmake" "${PROJECT_BINARY_DIR}/edgewiseConfigVersion.cmake"
        DESTINATION ${package_dir})

# Relative to the .pc file, so that an installed tree can be moved.
file(RELATIVE_PATH pc_to_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(cmake/dslc.pc.in "${PROJECT_BINARY_DIR}/dslc.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/dslc.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
