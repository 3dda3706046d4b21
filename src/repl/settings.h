/* settings.h: what a user has chosen, kept between sessions: lines NAME=VALUE of one small file. */
#ifndef PH_REPL_SETTINGS_H
#define PH_REPL_SETTINGS_H

#include "base/base.h"

/* The language chosen by :lang or lesson --lang: "en" or "zh"; NULL: none was. The file is $PHASOR_SETTINGS, else
 * $XDG_CONFIG_HOME/phasor/settings, else $HOME/.config/phasor/settings; one that cannot be read chooses nothing. */
const char *repl_settings_lang(void);
/* Chooses one, for this session in any case and for later ones where the file can be written. */
PH_MUST ph_status repl_settings_set_lang(const char *lang, ph_err *err);

/* The language of messages: the one chosen, else what the environment names, as gettext reads it. */
const char *repl_language(void);
bool repl_is_chinese(void);
/* What the prompt itself says: one text in each language; as literals, so that formats are checked. */
#define REPL_SAYS(en, zh) (repl_is_chinese() ? (zh) : (en))

#endif
