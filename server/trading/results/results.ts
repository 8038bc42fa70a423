import { resultRoutes } from '../../../contract/results.ts'
import type { Db } from '../../platform/db/database.ts'
import { mount } from '../../platform/http/mount.ts'
import type { Module } from '../../platform/module.ts'
import { readResultDays, readResults } from './aggregates.ts'
import type { PlatformSettings } from '../../platform/settings.ts'

/** Members' own results, added up from their settled orders when they are requested: nothing is stored. */
export function createResults({
  db,
  settings,
}: {
  db: Db
  settings: Pick<PlatformSettings, 'zone'>
}): Module {
  return {
    mount: (app) => {
      mount(app, resultRoutes.results, ({ member, query }) =>
        readResults(db, member.memberId, query, settings.zone),
      )
      mount(app, resultRoutes.resultDays, ({ member, query }) =>
        readResultDays(db, member.memberId, query.month, settings.zone),
      )
    },
  }
}
