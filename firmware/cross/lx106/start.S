/* QEMU's "sim" machine: the reset vector is 0x50000000, and literals stand before the code that loads them. */
    .section .reset, "ax"
    .global _reset
_reset:
    j _start
    .align 4

    .section .text.start, "ax"
    .global _start
    .align 4
    .literal_position
_start:
    movi a1, __stack_top
    movi a2, __bss_start
    movi a3, __bss_end
1:  bgeu a2, a3, 2f
    movi a4, 0
    s32i a4, a2, 0
    addi a2, a2, 4
    j 1b
2:  call0 main
    mov a3, a2
    movi a2, 1              /* simcall: exit(a3) */
    simcall

    .global out
    .align 4
out:                        /* void out(const char* bytes, int size) */
    mov a5, a3
    mov a4, a2
    movi a3, 1
    movi a2, 4              /* simcall: write(a3, a4, a5) */
    simcall
    ret
