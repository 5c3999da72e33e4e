# The host's twin of the runs under QEMU and of the WebAssembly.
add_executable(render
  ${CMAKE_CURRENT_SOURCE_DIR}/render/scene.cpp
  ${CMAKE_CURRENT_SOURCE_DIR}/render/frame.cpp
  ${CMAKE_CURRENT_SOURCE_DIR}/render/play.cpp
  ${CMAKE_CURRENT_SOURCE_DIR}/test/vectors/run.cpp
  ${CMAKE_CURRENT_SOURCE_DIR}/render/main_host.cpp)
target_include_directories(render PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(render hearth-core)
