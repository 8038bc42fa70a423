import type { Pool } from 'pg'

/** Ways to corrupt a stored log, by name: the SQL that changes the rows of its newest part. */
export const logCorruptions: Record<string, string> = {
  'a flipped byte in a flush': `UPDATE tick_batch SET data = set_byte(data, 40, get_byte(data, 40) # 8)
    WHERE id = (SELECT max(id) - 3 FROM tick_batch)`,
  'a missing flush': 'DELETE FROM tick_batch WHERE id = (SELECT max(id) - 3 FROM tick_batch)',
  'a flush of an earlier term': `UPDATE tick_batch SET term = term - 1 WHERE id = (SELECT max(id) - 3 FROM tick_batch)`,
  'a newest flush that cannot be read': `UPDATE tick_batch SET data = '\\xff' WHERE id = (SELECT max(id) FROM tick_batch)`,
  'a broken newest chunk': `UPDATE tick_chunk c SET data = set_byte(data, 60, get_byte(data, 60) # 8)
    WHERE seq0 = (SELECT max(seq0) FROM tick_chunk WHERE ix = c.ix)`,
  'a newest chunk with another hash': `UPDATE tick_chunk c SET hash_after = set_byte(hash_after, 3, get_byte(hash_after, 3) # 8)
    WHERE seq0 = (SELECT max(seq0) FROM tick_chunk WHERE ix = c.ix)`,
}

/** Corrupts the stored log, with its triggers disabled. */
export async function corruptLog(pool: Pool, name: string): Promise<void> {
  for (const sql of [
    'ALTER TABLE tick_batch DISABLE TRIGGER USER',
    'ALTER TABLE tick_chunk DISABLE TRIGGER USER',
    logCorruptions[name] ?? '',
    'ALTER TABLE tick_batch ENABLE TRIGGER USER',
    'ALTER TABLE tick_chunk ENABLE TRIGGER USER',
  ]) {
    await pool.query(sql)
  }
}
