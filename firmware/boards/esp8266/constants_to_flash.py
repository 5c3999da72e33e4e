# Puts the constants of the core into flash. The Arduino core's linker script places those of every file into RAM, which
# is scarce; code and vtables already go into flash. With PIO_FRAMEWORK_ARDUINO_MMU_CACHE16_IRAM48_SECHEAP_SHARED the
# Arduino core installs the handler that lets a program read single bytes there (core_esp8266_main.cpp,
# core_esp8266_non32xfer.cpp); core/rom.h has the fast way.
Import("env")  # noqa: F821

SCRIPT = "$BUILD_DIR/ld/local.eagle.app.v6.common.ld"  # as tools/platformio-build.py of the Arduino core names it
BEFORE = "*(.ver_number)"
CONSTANTS = "*src/core/*.cpp.o(.rodata .rodata.*)"


def insert_constants(source, target, env):
    path = str(target[0])
    with open(path) as file:
        script = file.read()
    if CONSTANTS in script:
        return
    if script.count(BEFORE) != 1:
        raise SystemExit("constants_to_flash.py: the linker script of the Arduino core has changed")
    with open(path, "w") as file:
        file.write(script.replace(BEFORE, BEFORE + "\n    " + CONSTANTS))


env.AddPostAction(SCRIPT, insert_constants)  # noqa: F821
