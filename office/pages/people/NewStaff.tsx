import { useRef, useState } from 'react'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { staffRoles, type StaffRole } from '../../../contract/office/staff.ts'
import { Button } from '../../../src/ui/Button.tsx'
import { Field } from '../../../src/ui/Field.tsx'
import { Select } from '../../../src/ui/Select.tsx'
import { isProposed, proposalSaid, undoOfProposal } from '../../actions/action.ts'
import { DecideDialog } from '../../actions/DecideDialog.tsx'
import { useTellDone } from '../../actions/useUndo.ts'
import { call } from '../../api.ts'
import { useOfficeFormat } from '../../data/useOfficeFormat.ts'
import { useRun } from '../../data/useRun.ts'
import { useTexts } from '../../i18n.ts'
import { useCommands } from '../../keys/useCommands.ts'
import { proposedDanger } from '../queues/proposedDanger.ts'
import { Keys } from '../../keys/Keys.tsx'

const nameMax = 40

/** Creates a staff account. */
export function NewStaff({ onCreated }: { onCreated: (answer: unknown) => void }) {
  const t = useTexts()
  const [isOpen, setOpen] = useState(false)
  useCommands([{ label: 'staff.create', keys: '+', group: 'list', run: () => setOpen(true) }])
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {t('staff.create')} <Keys keys="+" />
      </Button>
      {isOpen && <NewStaffDialog onCreated={onCreated} onClose={() => setOpen(false)} />}
    </>
  )
}

type DialogProps = { onCreated: (answer: unknown) => void; onClose: () => void }

function NewStaffDialog({ onCreated, onClose }: DialogProps) {
  const t = useTexts()
  const [name, setName] = useState('')
  const [role, setRole] = useState<StaffRole | ''>('')
  const [isMissing, setMissing] = useState(false)
  const format = useOfficeFormat()
  const input = useRef<HTMLInputElement>(null)
  const tellDone = useTellDone()
  const { run, busy, failure } = useRun(
    (chosen: StaffRole) => call(officeRoutes.staff.create, { body: { name: name.trim(), role: chosen } }),
    (answer) => {
      if (isProposed(answer)) tellDone(t(proposalSaid(answer)), name.trim(), undoOfProposal(answer))
      else tellDone(t('staff.created'), name.trim(), null)
      onClose()
      onCreated(answer)
    },
  )
  return (
    <DecideDialog
      title={t('staff.create')}
      busy={busy}
      failure={failure}
      focus={input}
      danger={proposedDanger(t, format, { act: 'staff.create', params: { name: name.trim(), role } })}
      onConfirm={() => (role === '' ? setMissing(true) : run(role))}
      onClose={onClose}
    >
      <Field
        ref={input}
        label={t('login.name')}
        hint={t('staff.nameHint')}
        required
        maxLength={nameMax}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label={t('staff.role')}
        options={staffRoles.map((value) => ({ value, label: t(`role.${value}`) }))}
        placeholder={t('action.choose')}
        error={isMissing && role === '' ? t('error.missing') : undefined}
        value={role}
        onValue={(value) => setRole(value as StaffRole)}
      />
    </DecideDialog>
  )
}
