# Highway's sort: is it there, with a C++ compiler that compiles and links it? The C++ is one file without exceptions
# and types at run time, so that C programs link the library by themselves.
include(CheckLanguage)
check_language(CXX)
find_library(HIGHWAY_LIBRARY hwy_contrib)
find_path(HIGHWAY_INCLUDE_DIR hwy/contrib/sort/vqsort.h)
if(CMAKE_CXX_COMPILER AND HIGHWAY_LIBRARY AND HIGHWAY_INCLUDE_DIR)
  enable_language(CXX)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_INCLUDES ${HIGHWAY_INCLUDE_DIR})
  set(CMAKE_REQUIRED_LIBRARIES ${HIGHWAY_LIBRARY})
  check_cxx_source_compiles("#include <hwy/contrib/sort/vqsort.h>
    int main() { uint64_t keys[2] = {1, 0}; hwy::Sorter sorter; sorter(keys, 2, hwy::SortAscending()); }"
    NETPRAM_HIGHWAY_LINKS)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
  set(NETPRAM_HAS_HIGHWAY ${NETPRAM_HIGHWAY_LINKS})
endif()

# Compiles the C++ for the libraries of `target`. They get it as an object that no language is known of: else CMake
# would link all programs, also those of an installed library's users, by the C++ compiler.
function(netpram_use_highway target)
  set(vectorized ${target}_vectorized)
  set(object ${CMAKE_BINARY_DIR}/${vectorized}${CMAKE_CXX_OUTPUT_EXTENSION})
  target_compile_definitions(${target}_objects PRIVATE NETPRAM_HIGHWAY)
  add_library(${vectorized} OBJECT src/mpi/sort/vectorized.cpp)
  set_target_properties(${vectorized} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden)
  target_include_directories(${vectorized} SYSTEM PRIVATE ${HIGHWAY_INCLUDE_DIR})
  target_compile_options(${vectorized} PRIVATE -std=c++17 -fno-exceptions -fno-rtti)
  target_link_libraries(${vectorized} PRIVATE netpram_options)
  add_custom_command(OUTPUT ${object} DEPENDS ${vectorized} $<TARGET_OBJECTS:${vectorized}>
    COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_OBJECTS:${vectorized}> ${object})
  add_custom_target(${vectorized}_object DEPENDS ${object})
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  foreach(library ${target} ${target}_shared)
    if(TARGET ${library})
      target_sources(${library} PRIVATE ${object})
      add_dependencies(${library} ${vectorized}_object)
    endif()
  endforeach()
endfunction()
