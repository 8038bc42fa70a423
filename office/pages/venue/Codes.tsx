import { useState } from 'react'
import { officeRoutes } from '../../../contract/office/routes.ts'
import type { IssuedCode } from '../../../contract/office/views.ts'
import { Badge } from '../../../src/ui/Badge.tsx'
import { actionsOf } from '../../actions/action.ts'
import { ActionBar } from '../../actions/ActionBar.tsx'
import { call } from '../../api.ts'
import { useOfficeList, type ItemOf } from '../../data/useOfficeCall.ts'
import { useTexts, type Texts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import type { Column } from '../../ui/DataTable.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { Screen, Scroll } from '../../ui/Screen.tsx'
import { When } from '../../ui/When.tsx'

const { codes } = officeRoutes
const usesDigits = 7

/** The codes that open accounts. */
export function Codes() {
  const t = useTexts()
  const may = useMay()
  const list = useOfficeList(codes.list, {})
  const [openId, setOpenId] = useState<string | null>(null)
  const open = list.items.find(({ code }) => code === openId)
  const actions = actionsOf([
    may('codes.issue') && {
      key: 'i',
      label: 'code.issue',
      done: 'code.issued',
      main: true,
      needs: {
        kind: 'text',
        field: 'code.uses',
        hint: 'code.usesHint',
        maxLength: usesDigits,
        optional: true,
        digits: true,
      },
      run: (uses) => call(codes.issue, { body: uses === '' ? {} : { uses: Number(uses) } }),
      undo: (answer) => ({
        done: 'code.revoked',
        run: () => call(codes.revoke, { params: { id: (answer as IssuedCode).code } }),
      }),
    },
    open?.revokedAt === null &&
      may('codes.revoke') && {
        key: 'r',
        label: 'code.revoke',
        done: 'code.revoked',
        harm: true,
        isFinal: true,
        summary: open.code,
        run: () => call(codes.revoke, { params: { id: open.code } }),
      },
  ])
  return (
    <Screen title={t('nav.codes')} tools={<ActionBar actions={actions} group="list" />}>
      <Scroll>
        <ListTable
          label={t('nav.codes')}
          list={list}
          rowId={({ code }) => code}
          openId={openId}
          onOpen={({ code }) => setOpenId(code)}
          empty={t('code.none')}
          columns={columns(t)}
        />
      </Scroll>
    </Screen>
  )
}

const columns = (t: Texts): Column<ItemOf<typeof codes.list>>[] => [
  { key: 'code', head: t('code.code'), cell: ({ code }) => <strong>{code}</strong> },
  { key: 'opened', head: t('code.opened'), figure: true, cell: ({ opened }) => opened },
  { key: 'uses', head: t('code.uses'), figure: true, cell: ({ uses }) => uses ?? t('code.any') },
  { key: 'issuedAt', head: t('code.issuedAt'), cell: ({ issuedAt }) => <When at={issuedAt} /> },
  { key: 'issuedBy', head: t('code.issuedBy'), cell: ({ issuedBy }) => issuedBy },
  {
    key: 'revoked',
    head: t('column.status'),
    cell: ({ revokedAt, revokedBy }) =>
      revokedAt === null ? (
        t('code.valid')
      ) : (
        <>
          <Badge kind="danger">{t('code.isRevoked')}</Badge> {revokedBy} <When at={revokedAt} />
        </>
      ),
  },
]
