import { customType } from 'drizzle-orm/pg-core'

/** A `bytea` column. */
export const bytea = customType<{ data: Uint8Array; driverData: Buffer }>({ dataType: () => 'bytea' })
