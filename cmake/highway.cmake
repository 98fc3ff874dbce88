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

function(netpram_use_highway target)
  target_compile_definitions(${target}_objects PRIVATE NETPRAM_HIGHWAY)
  target_include_directories(${target}_objects SYSTEM PRIVATE ${HIGHWAY_INCLUDE_DIR})
  target_compile_options(${target}_objects PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-std=c++17 -fno-exceptions -fno-rtti>)
  set_target_properties(${target}_objects PROPERTIES CXX_VISIBILITY_PRESET hidden)
endfunction()
