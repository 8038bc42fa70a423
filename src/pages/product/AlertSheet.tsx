import { useId, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { alertKinds } from '../../../contract/priceAlerts.ts'
import { Problem } from '../../features/forms/Problem.tsx'
import { useFormat } from '../../hooks/useFormat.ts'
import { SubmitButton } from '../../shell/SubmitButton.tsx'
import { Field, Segments, Sheet } from '../../ui/index.ts'
import { AlertList } from './AlertList.tsx'
import styles from './AlertSheet.module.css'
import { useNewAlert } from './useNewAlert.ts'
import type { PriceSheetProps } from './usePriceSheet.tsx'

/** Sets a price alert on the product, and lists those that wait. */
export function AlertSheet({ product, open, price, onClose, container }: PriceSheetProps) {
  const { t } = useTranslation()
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('alert.title')}
      closeLabel={t('common.close')}
      container={container}
    >
      <div className={styles.parts}>
        <NewAlert product={product} price={price} />
        <AlertList product={product} />
      </div>
    </Sheet>
  )
}

function NewAlert({ product, price }: Pick<PriceSheetProps, 'product' | 'price'>) {
  const { t } = useTranslation()
  const format = useFormat()
  const id = useId()
  const alert = useNewAlert(product, price)
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    alert.submit()
  }
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <p id={id} className={styles.text}>
        {t('alert.lead', { product: product.code })}
      </p>
      <Segments
        block
        label={t('alert.kind')}
        items={alertKinds.map((value) => ({ value, label: t(`alert.${value}`) }))}
        value={alert.kind}
        onChange={alert.setKind}
      />
      <Field
        figure
        name="price"
        inputMode="decimal"
        autoComplete="off"
        label={t('alert.price')}
        hint={
          alert.last === undefined
            ? undefined
            : t('alert.now', { price: format.price(alert.last, product.priceDecimals) })
        }
        value={alert.text}
        error={alert.error}
        onChange={(event) => alert.setText(event.currentTarget.value)}
      />
      <Problem text={alert.problem} />
      <SubmitButton busy={alert.busy}>{t('alert.submit')}</SubmitButton>
    </form>
  )
}
