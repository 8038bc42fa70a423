import { setting } from './0000-setting.ts'
import { market } from './0001-market.ts'
import type { Migration } from './migration.ts'

/** Every migration, in the order of its number. Add new ones at the end; never edit an applied one. */
export const migrations: readonly Migration[] = [setting, market]
