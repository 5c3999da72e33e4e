#pragma once
extern "C" {
void stack_thunk_add_ref();
void stack_thunk_del_ref();
}
/// The core's macro also changes the stack.
#define make_stack_thunk(function) extern "C" __typeof__(function) thunk_##function __attribute__((alias(#function)))
