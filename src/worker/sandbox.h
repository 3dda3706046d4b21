/* sandbox.h: what sandbox.c and channel.c share: the beginning of a child, and its end. Internal to worker/. */
#ifndef PH_WRK_SANDBOX_H
#define PH_WRK_SANDBOX_H

#include <sys/types.h>

#include "session/core.h"

size_t wrk_bytes(double mb); /* of that many MB; SIZE_MAX where a size cannot hold them */
/* seconds, MB as arguments at first and first + 1; raises where they make no sense. */
void wrk_check_limits(lua_State *L, int first, double *seconds, size_t *bytes);

extern const ses_host wrk_silent; /* nothing is shown and nothing typed */
/* In a child that was just made: it goes with its parent, shows nothing, and has these limits. */
void wrk_shut_in(ses_core *c, pid_t parent, double seconds, size_t bytes);
/* Nothing but what is loaded can be reached from here on, and the n descriptors in `keep`. */
void wrk_lock_in(const int *keep, int n);
/* Before a fork of what will be locked in: opens what it may need and could not open itself, and writes what is buffered. */
void wrk_before_fork(ses_core *c);

/* The exit status of a child that was refused memory and could not say so. */
#define WRK_NO_MEMORY 3
/* Kills a child of this process, where it runs, and reaps it: "ok" (it ran, or had ended well), "time", "memory", "died". */
const char *wrk_end(pid_t pid);

/* fresh.c: starts this program anew (worker.h: wrk_begin). There the module's function gets a channel to fd; it may take so many bytes. */
PH_MUST ph_status wrk_spawn(pid_t *pid, int fd, const char *module, size_t bytes, ph_err *err);

/* channel.c: the functions of phasor.session that talk with children */
int wrk_beside(lua_State *L);
int wrk_fresh(lua_State *L);
/* Calls the function on top of the stack with a channel to fd, and ends the process. */
_Noreturn void wrk_talk(lua_State *L, int fd);
/* The descriptor of the channel at index i, *busy the process behind it whose work counts for whoever waits (0: none); raises where
 * there is none. */
int wrk_channel_at(lua_State *L, int i, pid_t *busy);

#endif
