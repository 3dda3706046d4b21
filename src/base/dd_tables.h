/* dd_tables.h: constants of dd.c, as doubles that sum to the value; each to the nearest of what is left (made
 * with mpmath at 2000 bits). Included by dd.c only. */
#ifndef PH_DD_TABLES_H
#define PH_DD_TABLES_H

#include "base/dd.h"

/* 2/pi = sum of limb[i] 2^(-64 (i - 3)), after four zero limbs that stand for its bits above the point. */
static const uint64_t two_over_pi[25] = {
    0x0000000000000000u, 0x0000000000000000u, 0x0000000000000000u, 0x0000000000000000u, 0xa2f9836e4e441529u,
    0xfc2757d1f534ddc0u, 0xdb6295993c439041u, 0xfe5163abdebbc561u, 0xb7246e3a424dd2e0u, 0x06492eea09d1921cu,
    0xfe1deb1cb129a73eu, 0xe88235f52ebb4484u, 0xe99c7026b45f7e41u, 0x3991d639835339f4u, 0x9c845f8bbdf9283bu,
    0x1ff897ffde05980fu, 0xef2f118b5a0a6d1fu, 0x6d367ecf27cb09b7u, 0x4f463f669e5fea2du, 0x7527bac7ebe5f17bu,
    0x3d0739f78a5292eau, 0x6bfb5fb11f8d5d08u, 0x56033046fc7b6babu, 0xf0cfbc209af4361du, 0xa9e391615ee61b08u,
};

static const ph_dd half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
/* ln 2 / 32: the first two parts end in 11 zero bits or more, so that n times them is exact for |n| <
 * 2^11 32. */
static const double ln2_32[4] = {0x1.62e42fefa0000p-6, 0x1.cf79abc9e0000p-45, 0x1.d9cc01f97b57ap-84,
                                 0x1.e6864ce5316c6p-142};
static const double per_ln2_32 = 0x1.71547652b82fep+5; /* 32 / ln 2 */
static const ph_dd ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

/* 2^(j/32) - 1, j = -16..15 */
static const ph_dd exp2m1_table[32] = {
    {-0x1.2bec333018867p-2, 0x1.08b2fb1366ea9p-57},
    {-0x1.1c1142e274118p-2, -0x1.16e4786887a99p-56},
    {-0x1.0bdd71829fcf2p-2, -0x1.41577ee04992fp-56},
    {-0x1.f69d99accc7b6p-3, 0x1.59f115f566940p-58},
    {-0x1.d4c6af7557c93p-3, 0x1.ba7c55a192c9cp-57},
    {-0x1.b23213cc8e86cp-3, -0x1.75fc781b57ebcp-58},
    {-0x1.8edb9f5703dc0p-3, 0x1.c7c46b071f2bep-57},
    {-0x1.6abf137076a8ep-3, 0x1.684892395f0f8p-58},
    {-0x1.45d819a94b14bp-3, 0x1.e8734d1773206p-57},
    {-0x1.20224341286e4p-3, -0x1.5584f7e54ac3bp-57},
    {-0x1.f332113d56b1fp-4, 0x1.1065895048dd3p-60},
    {-0x1.a46f918837cb7p-4, -0x1.5f8685c2d6c49p-58},
    {-0x1.53f391822dbc7p-4, 0x1.76816bad9b837p-59},
    {-0x1.01b466423250ap-4, -0x1.a5cd4f184b5b9p-59},
    {-0x1.5b505d5b6f268p-5, 0x1.63dce863d76ccp-59},
    {-0x1.5f134923757f3p-6, -0x1.60f6913af3a8ap-62},
    {0x0.0p+0, 0x0.0p+0},
    {0x1.66c34c5615d0fp-6, -0x1.183ab7149735cp-60},
    {0x1.6ab0d9f3121ecp-5, 0x1.4c5c95b8c2155p-59},
    {0x1.1301d0125b50ap-4, 0x1.3aefc6bb64c63p-58},
    {0x1.72b83c7d517aep-4, -0x1.9041b9d78a75bp-59},
    {0x1.d4873168b9aa8p-4, -0x1.fe91ff5d9bc3ep-58},
    {0x1.1c3d373ab11c3p-3, 0x1.b07eb6c70572dp-58},
    {0x1.4f4efa8fef709p-3, 0x1.84ba2beb44954p-57},
    {0x1.837f0518db8a9p-3, 0x1.bd1ab48c60b91p-57},
    {0x1.b8d39b9d54e55p-3, 0x1.c51540bd151e6p-58},
    {0x1.ef5326091a112p-3, -0x1.497dbb83d8512p-57},
    {0x1.13821818624b4p-2, 0x1.89b7a04ef80d0p-59},
    {0x1.2ff6b54d8a89cp-2, 0x1.d4397afec42e2p-56},
    {0x1.4d0ad5a753e07p-2, 0x1.f0a83c49d86a6p-56},
    {0x1.6ac1f752150a5p-2, 0x1.8c93015191eb3p-56},
    {0x1.891fac0e95613p-2, -0x1.c1e0bf205a4b8p-57},
};

/* sin and cos of j pi/32, j = 0..8 */
static const ph_dd sin_table[9] = {
    {0x0.0p+0, 0x0.0p+0},
    {0x1.917a6bc29b42cp-4, -0x1.e2718d26ed688p-60},
    {0x1.8f8b83c69a60bp-3, -0x1.26d19b9ff8d82p-57},
    {0x1.294062ed59f06p-2, -0x1.5d28da2c4612dp-56},
    {0x1.87de2a6aea963p-2, -0x1.72cedd3d5a610p-57},
    {0x1.e2b5d3806f63bp-2, 0x1.e0d891d3c6841p-58},
    {0x1.1c73b39ae68c8p-1, 0x1.b25dd267f6600p-55},
    {0x1.44cf325091dd6p-1, 0x1.8076a2cfdc6b3p-57},
    {0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55},
};
static const ph_dd cos_table[9] = {
    {0x1.0000000000000p+0, 0x0.0p+0},
    {0x1.fd88da3d12526p-1, -0x1.87df6378811c7p-55},
    {0x1.f6297cff75cb0p-1, 0x1.562172a361fd3p-56},
    {0x1.e9f4156c62ddap-1, 0x1.760b1e2e3f81ep-55},
    {0x1.d906bcf328d46p-1, 0x1.457e610231ac2p-56},
    {0x1.c38b2f180bdb1p-1, -0x1.6e0b1757c8d07p-56},
    {0x1.a9b66290ea1a3p-1, 0x1.9f630e8b6dac8p-60},
    {0x1.8bc806b151741p-1, -0x1.2c5e12ed1336dp-55},
    {0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55},
};

/* 1/n!, n = 0..18 */
static const ph_dd inv_fact[19] = {
    {0x1.0000000000000p+0, 0x0.0p+0},
    {0x1.0000000000000p+0, 0x0.0p+0},
    {0x1.0000000000000p-1, 0x0.0p+0},
    {0x1.5555555555555p-3, 0x1.5555555555555p-57},
    {0x1.5555555555555p-5, 0x1.5555555555555p-59},
    {0x1.1111111111111p-7, 0x1.1111111111111p-63},
    {0x1.6c16c16c16c17p-10, -0x1.f49f49f49f49fp-65},
    {0x1.a01a01a01a01ap-13, 0x1.a01a01a01a01ap-73},
    {0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-76},
    {0x1.71de3a556c734p-19, -0x1.c154f8ddc6c00p-73},
    {0x1.27e4fb7789f5cp-22, 0x1.cbbc05b4fa99ap-76},
    {0x1.ae64567f544e4p-26, -0x1.c062e06d1f209p-80},
    {0x1.1eed8eff8d898p-29, -0x1.2aec959e14c06p-83},
    {0x1.6124613a86d09p-33, 0x1.f28e0cc748ebep-87},
    {0x1.93974a8c07c9dp-37, 0x1.05d6f8a2efd1fp-92},
    {0x1.ae7f3e733b81fp-41, 0x1.1d8656b0ee8cbp-97},
    {0x1.ae7f3e733b81fp-45, 0x1.1d8656b0ee8cbp-101},
    {0x1.952c77030ad4ap-49, 0x1.ac981465ddc6cp-103},
    {0x1.6827863b97d97p-53, 0x1.eec01221a8b0bp-107},
};

#endif
