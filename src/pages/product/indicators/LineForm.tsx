import { useState, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { lineNameMax, linesMax, type LineSetting } from '../../../state/chartSettings.ts'
import { Button, Field } from '../../../ui/index.ts'
import styles from './IndicatorSheet.module.css'
import { isLine, parseLine, type LineErrors, type LineTexts } from './parseLine.ts'

export type LineFormProps = {
  initial: LineTexts
  isNew: boolean
  /** The product has as many lines as it can have. */
  isFull: boolean
  priceDecimals: number
  priceField: Ref<HTMLInputElement>
  onSave: (line: LineSetting) => void
}

/** Price and name of a horizontal line; validated when it is saved. */
export function LineForm({ initial, isNew, isFull, priceDecimals, priceField, onSave }: LineFormProps) {
  const { t } = useTranslation()
  const [texts, setTexts] = useState(initial)
  const [errors, setErrors] = useState<LineErrors>({})
  const change = (patch: Partial<LineTexts>) => {
    setTexts({ ...texts, ...patch })
    setErrors({})
  }
  const save = () => {
    const parsed = parseLine(texts, priceDecimals)
    if (isLine(parsed)) onSave(parsed)
    else setErrors(parsed)
  }
  return (
    <form
      className={styles.lineForm}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Field
        ref={priceField}
        label={t('indicators.linePrice')}
        value={texts.price}
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        figure
        error={errors.price && t('indicators.error.price', { decimals: priceDecimals })}
        onChange={(event) => change({ price: event.currentTarget.value })}
      />
      <Field
        label={t('indicators.lineName')}
        value={texts.name}
        autoComplete="off"
        error={errors.name && t('indicators.error.name', { max: lineNameMax })}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <Button
        type="submit"
        variant="secondary"
        block
        disabled={isFull}
        reason={isFull ? t('indicators.linesFull', { max: linesMax }) : undefined}
      >
        {t(isNew ? 'indicators.addLine' : 'indicators.saveLine')}
      </Button>
    </form>
  )
}
