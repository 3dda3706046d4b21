/* offers.h: what may be typed inside a string or as an option's name. Runs nothing of the user's. Internal to session/. */
#ifndef PH_SES_OFFERS_H
#define PH_SES_OFFERS_H

#include "session/cursor.h"

typedef void ses_offer(void *user, const char *text, size_t n, const char *kind);

/* The string that pos stands in. Names that its function takes (lessons, pictures, topics of help), words of the option whose value it is, else files; *start is where what is
 * replaced begins. May raise. */
void ses_offer_strings(lua_State *L, const char *text, size_t pos, size_t *start, ses_offer *offer,
                       void *user);

/* Where a name may be that of an option, in f(…, {na or f{na: those of f, each with its "=". */
void ses_offer_options(lua_State *L, const cursor *at, ses_offer *offer, void *user);

#endif
