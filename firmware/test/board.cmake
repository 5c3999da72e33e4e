# The program of each board with fakes in place of the Arduino core. What depends on the chip alone is built once for it.
set(BOARDS ${CMAKE_CURRENT_SOURCE_DIR}/boards)
set(BOARD_TESTS ${CMAKE_CURRENT_SOURCE_DIR}/test)
set(OF_A_PROFILE ${BOARDS}/arduino/build.cpp ${BOARDS}/arduino/st7789.cpp ${BOARD_TESTS}/board/stories.cpp
  ${BOARD_TESTS}/board/own_update.cpp ${BOARD_TESTS}/board/week.cpp)
file(GLOB OF_A_CHIP CONFIGURE_DEPENDS ${BOARDS}/arduino/*.cpp ${BOARD_TESTS}/fakes/arduino/*.cpp)
list(REMOVE_ITEM OF_A_CHIP ${OF_A_PROFILE})

function(use_chip target chip profile)
  string(TOUPPER ${chip} define)
  # After the system's folders: the stubs of the cross compilers' missing headers must not hide the real ones.
  target_compile_options(${target} PRIVATE
    "SHELL:-idirafter ${BOARD_TESTS}/platform/${chip}" "SHELL:-idirafter ${BOARD_TESTS}/platform/common"
    "SHELL:-iquote ${BOARDS}/${profile}" "SHELL:-iquote ${BOARDS}/${chip}" "SHELL:-iquote ${BOARD_TESTS}")
  target_compile_definitions(${target} PRIVATE ${define} HEARTH_VERSION="1.0.0" HEARTH_REPO_OWNER="o"
    HEARTH_REPO_NAME="r" HEARTH_NEXT_UPDATE_KEY=""
    # The public key of test/update_file.h.
    HEARTH_UPDATE_KEY="1e07b905dd2f6363a811c11034624bceb66768260fb2a5238f8c9c6479972fc4886c162a1bf1187faffd78b7e1b88d45a3cad870328d076f78edf8a57879a819")
  target_link_libraries(${target} hearth-core hearth-hashes ${BEARSSL})
endfunction()
function(add_chip chip)
  file(GLOB own CONFIGURE_DEPENDS ${BOARDS}/${chip}/*.cpp)
  add_library(chip-${chip} OBJECT ${OF_A_CHIP} ${own})
  use_chip(chip-${chip} ${chip} ${chip})
endfunction()
# Environment of platformio.ini, folder of the chip, folder of the profile, definition.
function(add_board name chip profile)
  set(objects $<TARGET_OBJECTS:chip-${chip}>)
  if(name MATCHES loader)  # its main program differs
    set(objects $<FILTER:${objects},EXCLUDE,main.cpp.o$>)
  endif()
  add_executable(board-${name} ${OF_A_PROFILE} ${objects})
  use_chip(board-${name} ${chip} ${profile})
  target_compile_definitions(board-${name} PRIVATE ${ARGN})
  target_link_options(board-${name} PRIVATE -Wl,--wrap=time)
  add_test(NAME board-${name} COMMAND board-${name})
endfunction()

find_library(BEARSSL bearssl)
if(TARGET hearth-hashes AND BEARSSL)
  add_chip(esp8266)
  add_chip(esp32)
  add_board(smalltv-esp8266 esp8266 esp8266)
  add_board(nm-tv-154 esp32 esp32)
  add_board(smalltv-pro esp32 esp32 HEARTH_SMALLTV_PRO)
  add_board(smalltv-c2 esp32 esp32c2)
  add_board(esp32c3-devkit esp32 esp32c3)
  add_board(esp32c3-usb esp32 esp32c3 HEARTH_C3_USB)
  add_board(smalltv-esp8266-loader esp8266 esp8266 HEARTH_LOADER)
  target_sources(board-smalltv-esp8266-loader PRIVATE ${BOARDS}/arduino/main.cpp)
  # A profile changes pins and sizes only: one of each chip family lives through a week.
  add_test(NAME board-week-esp8266 COMMAND board-smalltv-esp8266 week)
  add_test(NAME board-week-esp32 COMMAND board-smalltv-c2 week)
endif()

# The loop of a board under a fuzzer, which lives through many lives in one process.
function(add_board_fuzzer chip profile)
  set(name board-${chip})
  add_executable(fuzz-${name} ${BOARD_TESTS}/fuzz/board/board.cpp ${BOARDS}/arduino/build.cpp
    ${BOARDS}/arduino/st7789.cpp $<FILTER:$<TARGET_OBJECTS:chip-${chip}>,EXCLUDE,main.cpp.o$>)
  use_chip(fuzz-${name} ${chip} ${profile})
  target_include_directories(fuzz-${name} PRIVATE ${BOARD_TESTS})
  target_compile_options(chip-${chip} PRIVATE -fsanitize=fuzzer-no-link)
  target_link_options(fuzz-${name} PRIVATE -fsanitize=fuzzer -Wl,--wrap=time)
  add_fuzz_test(${name} board)
endfunction()
if(HEARTH_FUZZ AND TARGET chip-esp8266)
  add_board_fuzzer(esp8266 esp8266)
  add_board_fuzzer(esp32 esp32)
endif()
