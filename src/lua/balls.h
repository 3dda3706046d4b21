/* balls.h: the class Ball. Private to lua/. */
#ifndef PH_LUA_BALLS_H
#define PH_LUA_BALLS_H

#include "lua/bind.h"
#include "verify/certify.h"

typedef struct {
    ver_number *n; /* NULL until it is given */
    int digits;    /* shown */
} ball;

/* A ball without a number, on top of the stack; its user value 1 is to be its verdict. */
ball *bind_new_ball(lua_State *L, int digits);

void bind_open_balls(lua_State *L);

#endif
