import { useId, useState, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '../../../contract/member.ts'
import { amountText } from '../../../contract/amount.ts'
import { minor, type Minor } from '../../../contract/units.ts'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import { useAmount } from '../../features/forms/useAmount.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { endOneTap, setOneTap, useOneTapMax } from '../../state/oneTap.ts'
import { AmountLine, Button, ListRow, Sheet, Switch } from '../../ui/index.ts'
import styles from './OneTap.module.css'

/** In the field of a member who turns them on for the first time. */
const firstMax = minor(10_000)

/** Whether a tap places an order without its confirmation, and up to what amount. Turning it on explains it. */
export function OneTapRow({ user }: { user: User }) {
  const { t } = useTranslation()
  const format = useFormat()
  const max = useOneTapMax()
  const [isOpen, setOpen] = useState(false)
  const label = t('oneTap.title')
  const caption = max === undefined ? t('oneTap.off') : t('oneTap.on', { max: format.money(max) })
  return (
    <>
      <ListRow
        label={label}
        caption={caption}
        end={
          <Switch
            label={label}
            checked={max !== undefined}
            onChange={(isOn) => (isOn ? setOpen(true) : endOneTap())}
          />
        }
      />
      {max !== undefined && (
        <ListRow label={t('oneTap.max')} value={format.money(max)} onClick={() => setOpen(true)} />
      )}
      <OneTapSheet
        open={isOpen}
        max={max}
        onClose={() => setOpen(false)}
        onSave={(value) => setOneTap(user.id, value)}
      />
    </>
  )
}

type OneTapSheetProps = {
  open: boolean
  /** Undefined while one-tap orders are off: the sheet explains them. */
  max: Minor | undefined
  onClose: () => void
  onSave: (max: Minor) => void
}

function OneTapSheet({ open, max, onClose, onSave }: OneTapSheetProps) {
  const { t } = useTranslation()
  const form = useId()
  const save = (value: Minor): void => {
    onSave(value)
    onClose()
  }
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('oneTap.title')}
      closeLabel={t('common.close')}
      footer={
        <Button type="submit" form={form} size="large" block>
          {t(max === undefined ? 'oneTap.turnOn' : 'settings.save')}
        </Button>
      }
    >
      <OneTapForm id={form} max={max} onSave={save} />
    </Sheet>
  )
}

type OneTapFormProps = { id: string; max: Minor | undefined; onSave: (max: Minor) => void }

/** Mounted with each opening of its sheet. */
function OneTapForm({ id, max, onSave }: OneTapFormProps) {
  const { t } = useTranslation()
  const { decimalMark } = useFormat()
  const currency = useVenueConfig()?.currency
  const [isNew] = useState(max === undefined)
  const amount = useAmount(undefined, amountText(max ?? firstMax, decimalMark))
  const [isSubmitted, setSubmitted] = useState(false)
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    setSubmitted(true)
    if (amount.value === undefined || amount.value <= 0 || !amount.commitAmount()) return
    onSave(amount.value)
  }
  const missing = isSubmitted && amount.value === undefined ? t('limits.enter') : undefined
  return (
    <form id={id} className={styles.form} noValidate onSubmit={submit}>
      {isNew && <p>{t('oneTap.explained')}</p>}
      <AmountLine
        {...amount.bind}
        label={t('oneTap.max')}
        labelEnd={<PracticeBadge />}
        unit={currency}
        error={amount.unclear ?? missing}
      />
      <p className={styles.help}>{t('oneTap.help')}</p>
    </form>
  )
}
