/**
 * Passkeys, authenticator apps (TOTP) and recovery codes of members, the wrong codes that they entered, and the
 * single-use tickets of all nodes that were used.
 */
export const secondFactors = {
  id: 130,
  name: 'second factors',
  sql: `
CREATE TABLE member_passkey (
  id text PRIMARY KEY,
  owner_id text NOT NULL REFERENCES member (id),
  credential_id text NOT NULL CONSTRAINT member_passkey_credential UNIQUE,
  public_key bytea NOT NULL,
  -- The authenticator's count of signatures; 0 for ever if it has none.
  counter bigint NOT NULL CHECK (counter >= 0),
  transports jsonb NOT NULL,
  name text NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint
);
CREATE INDEX member_passkey_owner ON member_passkey (owner_id);

CREATE TABLE member_totp (
  owner_id text PRIMARY KEY REFERENCES member (id),
  secret_sealed bytea NOT NULL,
  -- The time step of the newest code that was used: it and older ones are not valid again.
  last_step bigint NOT NULL,
  created_at bigint NOT NULL
);

CREATE TABLE member_recovery_code (
  owner_id text NOT NULL REFERENCES member (id),
  code_hash text NOT NULL,
  used_at bigint,
  PRIMARY KEY (owner_id, code_hash)
);

CREATE TABLE member_code_failure (
  owner_id text PRIMARY KEY REFERENCES member (id),
  failures integer NOT NULL CHECK (failures >= 0),
  at bigint NOT NULL
);

CREATE TABLE used_ticket (
  id text PRIMARY KEY,
  expires_at bigint NOT NULL
);
CREATE INDEX used_ticket_expires_at ON used_ticket (expires_at);
`,
} as const
