import { logDeletions } from './0151-results-follow-log.ts'

/** Databases that were migrated before 151 was changed get the functions that every owner may create, and restore. */
export const ownersWithoutSuperuser = {
  id: 178,
  name: 'owners without superuser',
  sql: logDeletions,
} as const
