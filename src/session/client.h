/* client.h: the front end's side of a worker. Internal to session/. */
#ifndef PH_SES_CLIENT_H
#define PH_SES_CLIENT_H

#include "session/session.h"

typedef struct client client;

PH_MUST ph_status ses_client_open(client **out, const ses_options *opt, ph_err *err);
void ses_client_close(client *k);
PH_MUST ph_status ses_client_request(client *k, json_t *request, ses_on_event *on_event, void *user,
                                     ph_err *err);
void ses_client_input(client *k, const char *text);
void ses_client_interrupt(client *k); /* async-signal-safe */
void ses_client_expect(client *k);
int ses_client_pid(const client *k);

#endif
