import { officeRoutes } from '../../../contract/office/routes.ts'
import type { Proposal } from '../../../contract/office/fourEyes.ts'
import type { StaffRole } from '../../../contract/office/staff.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { ActLog } from '../../notices/index.ts'
import type { Staff, StaffChange } from '../staff/staff.ts'
import { personOf, type Acts } from './acts.ts'
import type { OfficeCall } from './officeCall.ts'
import type { OfficeConfig } from '../settings.ts'
import type { OperatorSettings } from '../../platform/settings.ts'

export type StaffAdminParts = {
  staff: Pick<Staff, 'accounts'>
  acts: Acts
  actLog: Pick<ActLog, 'countLooks'>
  settings: OperatorSettings<OfficeConfig, 'recordsPerHour'>
}

/** The staff's accounts. */
export function mountStaffAdmin(call: OfficeCall, parts: StaffAdminParts): void {
  const { acts } = parts
  const { accounts } = parts.staff
  const { staff: routes } = officeRoutes
  call(routes.list, async ({ query }) => {
    const [page, looks] = [await accounts.list(query), await parts.actLog.countLooks()]
    const max = parts.settings.operatorConfig.recordsPerHour
    const items = page.items.map((row) => ({ ...row, records: { opened: looks.get(row.name) ?? 0, max } }))
    return { ...page, items }
  })
  call(routes.create, async (context) => {
    const { name, role } = context.body
    await accounts.assertNameFree(name)
    const request = { subject: { kind: 'staff', id: name }, params: { name, role } }
    return changeOf(await acts.createStaff(request, personOf(context), isSecondPersonPossible(context)))
  })
  call(routes.role, async (context) => {
    const { id, name, role: from } = await accounts.find(context.params.id)
    const request = { subject: { kind: 'staff', id }, params: { name, from, role: context.body.role } }
    return changeOf(await acts.setStaffRole(request, personOf(context)))
  })
  call(routes.disable, async (context) => {
    const { params, actor } = context
    const { id, name } = await accounts.find(params.id)
    // One at once may be urgent; a person who disables more would end as the only one who decides.
    if (!isSecondPersonPossible(context) || !(await accounts.needsTwoToDisable(actor)))
      return { ...(await accounts.disable(id, actor)), proposal: null }
    return changeOf(
      await acts.disableStaff({ subject: { kind: 'staff', id }, params: { name } }, personOf(context)),
    )
  })
  call(routes['reset-factors'], async ({ params, actor }) => {
    const { id, name } = await accounts.find(params.id)
    if (name === actor) throw new ApiError('FORBIDDEN')
    return { ...(await accounts.resetFactors(id, actor)), proposal: null }
  })
  call(routes.enrol, async (context) => {
    const { id, name, role, status } = await accounts.find(context.params.id)
    const request = { subject: { kind: 'staff', id }, params: { name, role, status } }
    return changeOf(await acts.enrolStaff(request, personOf(context), isSecondPersonPossible(context)))
  })
}

/** The desk key sets up the persons that four eyes need: the guard lets it in only as long as they are missing. */
const isSecondPersonPossible = ({ role }: { role: StaffRole | null }): boolean => role !== null

type ChangeResult = { done: StaffChange; proposal: null } | { done: null; proposal: Proposal }
const changeOf = ({ done, proposal }: ChangeResult) => ({
  staff: done?.staff ?? null,
  enrolment: done?.enrolment ?? null,
  proposal,
})
