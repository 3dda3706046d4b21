/* parts.h: an input of several statements with values among them, such as `a = 3; b = 4; a*b`, which no Lua chunk is. Internal to
 * session/.
 *
 * Parts are divided by `;`, or by a line break where what follows could not go on with what stands before it (a name, a number or a
 * keyword), outside every block and bracket. Each is the shortest run of these that Lua can read, as an expression or as statements.
 */
#ifndef PH_SES_PARTS_H
#define PH_SES_PARTS_H

#include "session/core.h"

/* Pushes a function that runs the parts, shows the values of all but the last, and returns those; and the function of the first part:
 * true. Or pushes nothing, and *rest is where the part begins that Lua cannot read. Raises nothing. */
bool ses_parts(lua_State *L, const ses_source *src, const char *name, size_t *rest);

#endif
