import { customType } from 'drizzle-orm/pg-core'

/** Bytes, as the driver gives and takes them. */
export const bytea = customType<{ data: Uint8Array; driverData: Buffer }>({ dataType: () => 'bytea' })
