# netpram_add_library(TARGET NAME file-name NODE version-node SOURCES ... HEADERS public ... NEEDS libraries ...
# [PUBLIC libraries that users call, too ...] [SHARED headers ...] [BASE target]): the static library TARGET and, with
# NETPRAM_SHARED, the shared library TARGET_shared, from the same objects. The shared library exports the functions that
# the public headers declare, with the version NODE_MAJOR.MINOR. Functions that SHARED headers mark NP_FOR_REPORT have
# the version NODE_PRIVATE_MAJOR.MINOR.PATCH: libraries of two versions do not mix.
include(CheckCCompilerFlag)
check_c_compiler_flag(-fno-semantic-interposition NETPRAM_HAS_NO_INTERPOSITION)

# The symbols' versions, from the declarations in the headers.
function(netpram_version_script target node headers shared)
  set(script ${CMAKE_BINARY_DIR}/lib${target}.map)
  set(program ${CMAKE_SOURCE_DIR}/cmake/version_script.cmake)
  add_custom_command(OUTPUT ${script} VERBATIM DEPENDS ${headers} ${shared} ${program}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${script} -DNODE=${node} -DVERSION=${NETPRAM_VERSION} "-DHEADERS=${headers}"
      "-DSHARED=${shared}" -P ${program})
  target_sources(${target}_shared PRIVATE ${script})
  set_property(TARGET ${target}_shared APPEND PROPERTY LINK_DEPENDS ${script})
  target_link_options(${target}_shared PRIVATE -Wl,--version-script=${script})
endfunction()

function(netpram_library_properties library file_name needs public)
  set_target_properties(${library} PROPERTIES OUTPUT_NAME ${file_name})
  target_include_directories(${library}
    PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${library} PRIVATE ${needs} $<BUILD_INTERFACE:netpram_options> PUBLIC ${public})
endfunction()

function(netpram_add_library target)
  cmake_parse_arguments(A "" "NAME;NODE;BASE" "SOURCES;HEADERS;SHARED;NEEDS;PUBLIC" ${ARGN})
  add_library(${target}_objects OBJECT ${A_SOURCES})
  set_target_properties(${target}_objects PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
  target_include_directories(${target}_objects PRIVATE src include)
  target_link_libraries(${target}_objects PRIVATE ${A_NEEDS} ${A_PUBLIC} $<BUILD_INTERFACE:netpram_options>)
  if(NETPRAM_HAS_NO_INTERPOSITION)
    target_compile_options(${target}_objects PRIVATE -fno-semantic-interposition)
  endif()

  add_library(${target} STATIC $<TARGET_OBJECTS:${target}_objects>)
  netpram_library_properties(${target} ${A_NAME} "${A_NEEDS}" "${A_PUBLIC}")
  if(A_BASE)
    target_link_libraries(${target} PUBLIC ${A_BASE})
  endif()
  if(NETPRAM_SHARED)
    add_library(${target}_shared SHARED $<TARGET_OBJECTS:${target}_objects>)
    netpram_library_properties(${target}_shared ${A_NAME} "${A_NEEDS}" "${A_PUBLIC}")
    netpram_version_script(${target} ${A_NODE} "${A_HEADERS}" "${A_SHARED}")
    target_link_options(${target}_shared PRIVATE -Wl,--no-undefined
      -Wl,-z,nodelete) # its threads sleep between calls
    set_target_properties(${target}_shared PROPERTIES VERSION ${NETPRAM_VERSION}
      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
    if(A_BASE)
      target_link_libraries(${target}_shared PUBLIC ${A_BASE}_shared)
    endif()
  endif()
endfunction()
