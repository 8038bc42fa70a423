import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import {
  barsMax,
  barsMin,
  deviationsMax,
  indicatorRules,
  type IndicatorKind,
} from '../../../chart/indicators/kinds.ts'
import { setIndicator, useChartSettings } from '../../../state/chartSettings.ts'
import { Field, ListRow, Switch, TextLink } from '../../../ui/index.ts'
import styles from './IndicatorSheet.module.css'
import { parseParams, type ParamError } from './parseParams.ts'

/** An indicator's switch, and its parameters while it is on. */
export function IndicatorRow({ kind }: { kind: IndicatorKind }) {
  const { t } = useTranslation()
  const { on } = useChartSettings().indicators[kind]
  const name = t(`indicators.name.${kind}`)
  return (
    <div className={styles.row}>
      <ListRow
        label={kind}
        caption={name}
        end={
          <Switch
            checked={on}
            label={`${kind} ${name}`}
            onChange={(next) => setIndicator(kind, { on: next })}
          />
        }
      />
      {on && <Params kind={kind} />}
    </div>
  )
}

/** Valid parameters apply while they are typed; of others the chart keeps the last valid ones. */
function Params({ kind }: { kind: IndicatorKind }) {
  const { t } = useTranslation()
  const { params } = useChartSettings().indicators[kind]
  const [texts, setTexts] = useState(() => params.map(String))
  const parsed = parseParams(kind, texts)
  const change = (next: readonly string[]) => {
    setTexts([...next])
    const result = parseParams(kind, next)
    if (result.ok) setIndicator(kind, { params: result.params })
  }
  const defaults = indicatorRules[kind].params.map(String)
  return (
    <div className={styles.params}>
      <div className={styles.fields}>
        {texts.map((text, i) => (
          <Field
            // oxlint-disable-next-line react/no-array-index-key -- a parameter is its place in the list
            key={i}
            label={paramName(t, kind, i)}
            value={text}
            inputMode="decimal"
            autoComplete="off"
            maxLength={6}
            figure
            error={!parsed.ok && parsed.at === i ? errorText(t, parsed.error) : undefined}
            onChange={(event) => change(texts.map((each, n) => (n === i ? event.currentTarget.value : each)))}
          />
        ))}
      </div>
      {String(texts) !== String(defaults) && (
        <TextLink onClick={() => change(defaults)}>{t('indicators.defaults')}</TextLink>
      )}
    </div>
  )
}

function paramName(t: TFunction, kind: IndicatorKind, i: number): string {
  const names: Partial<Record<IndicatorKind, readonly string[]>> = {
    BOLL: [t('indicators.param.period'), t('indicators.param.deviations')],
    MACD: [t('indicators.param.fast'), t('indicators.param.slow'), t('indicators.param.signal')],
    RSI: [t('indicators.param.period')],
    KDJ: [
      t('indicators.param.period'),
      t('indicators.param.smoothing', { line: 'K' }),
      t('indicators.param.smoothing', { line: 'D' }),
    ],
  }
  return names[kind]?.[i] ?? t('indicators.param.periodNumber', { n: i + 1 })
}

function errorText(t: TFunction, error: ParamError): string {
  if (error === 'order') return t('indicators.error.order')
  if (error === 'deviations') return t('indicators.error.deviations', { max: deviationsMax })
  return t('indicators.error.bars', { min: barsMin, max: barsMax })
}
