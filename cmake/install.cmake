# What `cmake --install` puts where: the command, the library and its headers, pkg-config and CMake package
# files, the man page, the licence. Everything may be moved afterwards: no file names the prefix.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/netpram)
if(NOT DEFINED BUILD_SHARED_LIBS)
  set(BUILD_SHARED_LIBS OFF)
endif()
set_target_properties(netpram PROPERTIES VERSION ${NETPRAM_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})

install(TARGETS netpram EXPORT netpramTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/netpram DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT netpramTargets NAMESPACE netpram:: DESTINATION ${package_dir})
add_library(netpram::netpram ALIAS netpram)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(EXISTS ${CMAKE_SOURCE_DIR}/docs/netpram.1)
  install(FILES docs/netpram.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
if(TARGET netpram_command)
  file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(netpram_command PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
  install(TARGETS netpram_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(NOT CMAKE_CROSSCOMPILING) # made by the command itself
    set(completion ${CMAKE_BINARY_DIR}/netpram.bash)
    add_custom_command(TARGET netpram_command POST_BUILD
      COMMAND $<TARGET_FILE:netpram_command> --completion > ${completion} BYPRODUCTS ${completion} VERBATIM)
    install(FILES ${completion} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME netpram)
  endif()
endif()

configure_package_config_file(cmake/netpramConfig.cmake.in netpramConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(netpramConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/netpramConfig.cmake ${CMAKE_BINARY_DIR}/netpramConfigVersion.cmake
  DESTINATION ${package_dir})

# A static library alone must link with plain `pkg-config --libs`: then nothing of what it needs is private.
file(RELATIVE_PATH NETPRAM_PC_TO_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" NETPRAM_PC_TO_PREFIX "${NETPRAM_PC_TO_PREFIX}")
set(private)
if(BUILD_SHARED_LIBS)
  set(private _PRIVATE)
endif()
set(metis)
if(NETPRAM_HAS_METIS)
  set(metis " -lmetis")
endif()
set(NETPRAM_PC_LIBS${private} " ${OpenMP_C_FLAGS}${metis} -lm")
set(NETPRAM_PC_REQUIRES${private} " jansson")
configure_file(cmake/netpram.pc.in netpram.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/netpram.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
