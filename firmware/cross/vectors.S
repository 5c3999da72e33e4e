/* The packed vectors, in the program itself: the machines have no files. */
    .section .vectors, "a"
    .global vectors_begin
    .global vectors_end
    .balign 4
vectors_begin:
    .incbin HEARTH_VECTORS
vectors_end:
    .balign 4
