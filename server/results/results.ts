import { resultRoutes } from '../../contract/results.ts'
import type { Settings } from '../config.ts'
import type { Db } from '../db/database.ts'
import { mount } from '../http/mount.ts'
import type { Module } from '../module.ts'
import { readResultDays, readResults } from './aggregates.ts'

/** Members' own results, added up from their settled orders when they are requested: nothing is stored. */
export function createResults({ db, settings }: { db: Db; settings: Pick<Settings, 'zone'> }): Module {
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
