import type { Database } from '../../server/platform/db/open.ts'

/**
 * Creates the trigger function `cancel_once`, which cancels a transaction as the embedded database and a collision do, and
 * lets the next one pass. Its sequence `cancelled` does not go back with a transaction, so it counts the tries.
 */
export const createCancelOnce = ({ owner }: Pick<Database, 'owner'>): Promise<unknown> =>
  owner.query(`
    CREATE SEQUENCE cancelled;
    GRANT USAGE ON SEQUENCE cancelled TO PUBLIC;
    CREATE FUNCTION cancel_once() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('cancelled') % 2 = 1 THEN RAISE 'cancelled' USING ERRCODE = '40001'; END IF;
        RETURN NULL;
      END$$;`)
