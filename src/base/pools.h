/* pools.h: PH_NO_POOLS is defined under AddressSanitizer: every small block comes from the C library, so that it sees each one's end. */
#ifndef PH_BASE_POOLS_H
#define PH_BASE_POOLS_H

#if defined(__SANITIZE_ADDRESS__)
#define PH_NO_POOLS
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PH_NO_POOLS
#endif
#endif

#endif
