# What `cmake --install` puts where: the command, the library and its headers, pkg-config and CMake package
# files, the man page, completion, the pages of docs/, examples, what editors need. Everything may be moved afterwards:
# no file names the prefix.
include(CMakePackageConfigHelpers)

# A library and its CMake package: TARGET as netpram::NAME, or as netpram::NAME_static beside the shared one.
function(netpram_install target package name)
  set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/${package})
  set(libraries ${target})
  if(NETPRAM_SHARED)
    list(APPEND libraries ${target}_shared)
    set_target_properties(${target}_shared PROPERTIES EXPORT_NAME ${name} INSTALL_RPATH "$ORIGIN")
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name}_static)
  else()
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  endif()
  install(TARGETS ${libraries} EXPORT ${package}Targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT ${package}Targets NAMESPACE netpram:: DESTINATION ${package_dir})
  configure_package_config_file(cmake/${package}Config.cmake.in ${package}Config.cmake
    INSTALL_DESTINATION ${package_dir})
  write_basic_package_version_file(${package}ConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${CMAKE_BINARY_DIR}/${package}Config.cmake ${CMAKE_BINARY_DIR}/${package}ConfigVersion.cmake
    DESTINATION ${package_dir})
endfunction()

netpram_install(netpram netpram netpram)
netpram_install(netpram_report netpram-report report)
install(FILES ${library_headers} ${report_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/netpram)
if(NETPRAM_HAS_MPI)
  netpram_install(netpram_mpi netpram-mpi mpi)
  install(FILES include/netpram/mpi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/netpram)
endif()

# The pages keep their places to each other, so that their links work; editors' files are for the language of PRAM
# programs.
install(FILES
  LICENSE NOTICES README.md ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md SECURITY.md CITATION.cff packages.txt
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN "*.1" EXCLUDE)
install(DIRECTORY examples experiments DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN CMakeLists.txt EXCLUDE)
install(DIRECTORY editors DESTINATION ${CMAKE_INSTALL_DATADIR}/netpram)
# The page that plays runs, if make web has made it (--picture FILE.html).
install(FILES web/dist/player.html DESTINATION ${CMAKE_INSTALL_DATADIR}/netpram OPTIONAL)
if(EXISTS ${CMAKE_SOURCE_DIR}/docs/netpram.1)
  install(FILES docs/netpram.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
if(TARGET netpram_mpi_command)
  install(TARGETS netpram_mpi_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET netpram_command)
  install(TARGETS netpram_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(NOT CMAKE_CROSSCOMPILING) # made by the command itself
    set(completion ${CMAKE_BINARY_DIR}/netpram.bash)
    add_custom_command(TARGET netpram_command POST_BUILD
      COMMAND $<TARGET_FILE:netpram_command> --completion > ${completion} BYPRODUCTS ${completion} VERBATIM)
    install(FILES ${completion} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME netpram)
  endif()
endif()

# Without a shared library, plain `pkg-config --libs` must give all that the static one needs: nothing is private.
file(RELATIVE_PATH NETPRAM_PC_TO_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" NETPRAM_PC_TO_PREFIX "${NETPRAM_PC_TO_PREFIX}")
function(netpram_pkg_config PC_NAME PC_DESCRIPTION public libs requires)
  set(private)
  if(NETPRAM_SHARED)
    set(private _PRIVATE)
  endif()
  set(PC_REQUIRES ${public})
  set(PC_LIBS${private} ${libs})
  set(PC_REQUIRES${private} "${PC_REQUIRES${private}}${requires}")
  configure_file(cmake/netpram.pc.in ${PC_NAME}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/${PC_NAME}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

set(metis)
if(NETPRAM_HAS_METIS)
  set(metis " -lmetis")
endif()
netpram_pkg_config(netpram "Routes packets on networks, step by step" "" " -pthread${metis} -lm" "")
set(expat)
if(NETPRAM_HAS_EXPAT)
  set(expat " expat")
endif()
netpram_pkg_config(netpram-report "Tables, JSON, CSV, plots and experiments of netpram"
  " netpram = ${NETPRAM_VERSION}" " -pthread -lm" " jansson sqlite3${expat}")
# The flags of the MPI that it was built with, which need not have a file of pkg-config. They are its users', too: they
# call MPI.
if(NETPRAM_HAS_MPI)
  list(TRANSFORM MPI_C_INCLUDE_DIRS PREPEND " -I" OUTPUT_VARIABLE mpi_includes)
  list(TRANSFORM MPI_C_LIBRARIES PREPEND " " OUTPUT_VARIABLE mpi_libraries)
  string(JOIN "" PC_CFLAGS ${mpi_includes})
  string(JOIN "" PC_PUBLIC_LIBS ${mpi_libraries})
  set(highway)
  if(NETPRAM_HAS_HIGHWAY)
    set(highway " -lhwy_contrib")
  endif()
  netpram_pkg_config(netpram-mpi "Exchange, shared memory and sorting on the ranks of MPI"
    " netpram = ${NETPRAM_VERSION}" "${highway} -lm" "")
endif()
