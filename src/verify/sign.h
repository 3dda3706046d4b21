/* sign.h: what an exact argument says of the sign of a real quantity, for all values it can take. Private to verify/. */
#ifndef PH_VERIFY_SIGN_H
#define PH_VERIFY_SIGN_H

typedef enum { VER_SIGN_OPEN, VER_SIGN_NONNEGATIVE, VER_SIGN_POSITIVE } ver_sign;

#endif
