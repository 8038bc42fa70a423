import type { Database } from '../../../../server/platform/db/open.ts'

/**
 * From now on each insert into a table fails as if the database's disk were full.
 * @returns makes space again
 */
export async function fillDisk(
  { owner }: Pick<Database, 'owner'>,
  table: string,
): Promise<() => Promise<void>> {
  await owner.query(`
    CREATE FUNCTION disk_is_full() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE 'could not extend file "base/5/16384": No space left on device' USING ERRCODE = '53100'; END$$;
    CREATE TRIGGER disk_is_full BEFORE INSERT ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION disk_is_full()`)
  return async () => void (await owner.query('DROP FUNCTION disk_is_full CASCADE'))
}
