/* The implementation of lmrlab.h, compiled once. */
#define LMRLAB_IMPLEMENTATION
#include "../include/lmrlab.h"
