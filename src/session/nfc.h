/* nfc.h: one spelling for one identifier; the rule stands in nfc.c. */
#ifndef PH_SES_NFC_H
#define PH_SES_NFC_H

#include <stdint.h>

uint32_t ses_nfc_letter(uint32_t c);                   /* the letter c stands for; c itself as a rule */
uint32_t ses_nfc_pair(uint32_t letter, uint32_t mark); /* the composed letter, 0 where there is none */

#endif
