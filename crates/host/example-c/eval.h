/* The static evaluation. */
#ifndef EVAL_H
#define EVAL_H
#include "chess.h"

void init_eval(void);            /* once, after init_chess */
int evaluate(const Board *b);    /* centipawns, for the side to move */
int material(const Board *b);    /* of it, the difference in material */
int phase(const Board *b);       /* 24 with all pieces on the board, 0 with kings and pawns alone */
int square_value(const Board *b, int color, int kind, int square); /* of a piece on a square, material left out */
bool is_passed(const Board *b, int color, int square); /* no enemy pawn in front, here and on the neighbouring files */
#endif
