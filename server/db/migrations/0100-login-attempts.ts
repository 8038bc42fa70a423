/** What all nodes count together against guessing: failed log-ins, and the captchas that were answered. */
export const loginAttempts = {
  id: 100,
  name: 'login attempts',
  sql: `
-- The key is a keyed hash of what failed: an account with an address or a device, an account, or an address.
CREATE TABLE login_failure (
  key text PRIMARY KEY,
  failures integer NOT NULL CHECK (failures >= 0),
  at bigint NOT NULL,
  -- What "at" was before the last count, for an attempt that turns out not to be a failure.
  previous_at bigint NOT NULL
);
CREATE INDEX login_failure_at ON login_failure (at);

CREATE TABLE used_captcha (
  id text PRIMARY KEY,
  expires_at bigint NOT NULL
);
CREATE INDEX used_captcha_expires_at ON used_captcha (expires_at);
`,
} as const
