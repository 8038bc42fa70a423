import { useState } from 'react'
import { officeRoutes } from '../../../contract/office/routes.ts'
import {
  staffRoles,
  type ListedStaff,
  type StaffRole,
  type StaffView,
} from '../../../contract/office/staff.ts'
import { Badge } from '../../../src/ui/Badge.tsx'
import { actionsOf, type Action } from '../../actions/action.ts'
import { ActionBar } from '../../actions/ActionBar.tsx'
import { call } from '../../api.ts'
import { useOfficeList } from '../../data/useOfficeCall.ts'
import { useOfficeFormat } from '../../data/useOfficeFormat.ts'
import { useTexts, type Texts } from '../../i18n.ts'
import { useMay, useSession } from '../../state/staff.ts'
import type { Column } from '../../ui/DataTable.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { Screen, Scroll } from '../../ui/Screen.tsx'
import { When } from '../../ui/When.tsx'
import { EnrolmentNote, enrolmentIn, type Enrolled } from '../../ui/EnrolmentNote.tsx'
import { proposedDanger } from '../queues/proposedDanger.ts'
import { NewStaff } from './NewStaff.tsx'

const { staff } = officeRoutes

/** Who works here and what for. Roles and new accounts take a second person. */
export function StaffScreen() {
  const t = useTexts()
  const may = useMay()
  const list = useOfficeList(staff.list, {})
  const [openId, setOpenId] = useState<string | null>(null)
  const [enrolment, setEnrolment] = useState<Enrolled | null>(null)
  const open = list.items.find(({ id }) => id === openId)
  const actions = useStaffActions(open)
  return (
    <Screen
      title={t('nav.staff')}
      tools={
        <>
          <ActionBar
            group="list"
            actions={actions}
            about={open?.name}
            onDone={(answer) => setEnrolment(enrolmentIn(answer))}
          />
          {may('staff.create') && <NewStaff onCreated={(answer) => setEnrolment(enrolmentIn(answer))} />}
        </>
      }
    >
      <Scroll>
        {enrolment !== null && <EnrolmentNote enrolment={enrolment} onClose={() => setEnrolment(null)} />}
        <ListTable
          label={t('nav.staff')}
          list={list}
          rowId={({ id }) => id}
          openId={openId}
          onOpen={({ id }) => setOpenId(id)}
          columns={columns(t)}
        />
      </Scroll>
    </Screen>
  )
}

/** What can be done to another person's account. */
function useStaffActions(open: StaffView | undefined): Action[] {
  const t = useTexts()
  const may = useMay()
  const format = useOfficeFormat()
  const me = useSession().staff.id
  const isOther = open !== undefined && open.id !== me
  const params = { id: open?.id ?? '' }
  const roles = staffRoles.map((value) => ({ value, label: t(`role.${value}`) }))
  return actionsOf([
    isOther &&
      may('staff.role') && {
        key: 'o',
        label: 'staff.changeRole',
        done: 'staff.roleChanged',
        summary: <Facts items={[{ label: t('staff.roleNow'), value: t(`role.${open.role}`) }]} />,
        needs: {
          kind: 'choice',
          field: 'staff.newRole',
          options: roles.filter(({ value }) => value !== open.role),
          isOpen: true,
        },
        effect: (role) => ({
          danger: proposedDanger(t, format, {
            act: 'staff.role',
            params: { name: open.name, from: open.role, role },
          }),
        }),
        run: (role) => call(staff.role, { params, body: { role: role as StaffRole } }),
        undo: () => ({
          done: 'action.undone',
          run: () => call(staff.role, { params, body: { role: open.role } }),
        }),
      },
    isOther &&
      open.status !== 'disabled' &&
      may('staff.disable') && {
        key: 'd',
        label: 'staff.disable',
        done: 'staff.disabled',
        harm: true,
        isFinal: true,
        summary: t('staff.disableEffect', { name: open.name }),
        run: () => call(staff.disable, { params }),
      },
    isOther &&
      open.status === 'active' &&
      may('staff.reset-factors') && {
        key: 'x',
        label: 'staff.resetFactors',
        done: 'staff.factorsReset',
        harm: true,
        isFinal: true,
        summary: t('staff.resetFactorsEffect', { name: open.name }),
        run: () => call(staff['reset-factors'], { params }),
      },
    isOther &&
      may('staff.enrol') && {
        key: 'e',
        label: 'staff.newCode',
        done: 'staff.codeIssued',
        harm: true,
        isFinal: true,
        summary: t('staff.newCodeEffect', { name: open.name }),
        danger: proposedDanger(t, format, { act: 'staff.enrol', params: { ...open } }),
        run: () => call(staff.enrol, { params }),
      },
  ])
}

const columns = (t: Texts): Column<ListedStaff>[] => [
  { key: 'name', head: t('login.name'), cell: ({ name }) => <strong>{name}</strong> },
  { key: 'role', head: t('staff.role'), cell: ({ role }) => t(`role.${role}`) },
  {
    key: 'status',
    head: t('column.status'),
    cell: ({ status }) => (
      <Badge kind={status === 'active' ? 'plain' : status === 'invited' ? 'warn' : 'danger'}>
        {t(`staff.status.${status}`)}
      </Badge>
    ),
  },
  { key: 'seen', head: t('staff.lastSeenAt'), cell: ({ lastSeenAt }) => <When at={lastSeenAt} /> },
  {
    key: 'records',
    head: t('staff.records'),
    cell: ({ records }) =>
      records.opened === 0 ? (
        ''
      ) : (
        <Badge kind={records.opened >= records.max ? 'danger' : 'plain'}>
          {t('staff.recordsOf', records)}
        </Badge>
      ),
  },
  {
    key: 'created',
    head: t('staff.createdAt'),
    minor: true,
    cell: ({ createdAt }) => <When at={createdAt} />,
  },
]
