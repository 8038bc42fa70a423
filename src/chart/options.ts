import {
  ColorType,
  CrosshairMode,
  LineStyle,
  TickMarkType,
  TrackingModeExitMode,
  type ChartOptions,
  type DeepPartial,
  type Time,
} from 'lightweight-charts'
import { minuteMs } from '../../contract/time.ts'
import { timeAxisHeight } from './geometry.ts'
import type { RenderState } from './renderState.ts'
import type { AxisTime, ChartSetup } from './types.ts'

const kinds: Record<TickMarkType, AxisTime> = {
  [TickMarkType.Year]: 'year',
  [TickMarkType.Month]: 'month',
  [TickMarkType.DayOfMonth]: 'day',
  [TickMarkType.Time]: 'time',
  [TickMarkType.TimeWithSeconds]: 'second',
}

/** How exact the instants on the time axis are. */
export const clockOptions = (tfMs: number) => ({ secondsVisible: tfMs < minuteMs })

/** The library's options from our theme: no border, no logo, only horizontal grid lines. It asks for texts as it needs them. */
export function chartOptions(state: RenderState, setup: ChartSetup): DeepPartial<ChartOptions> {
  const { theme } = state
  const instantOf = (time: Time) => (typeof time === 'number' ? time * 1000 - setup.zoneOffsetMs : 0)
  const crosshair = {
    color: theme.line,
    style: LineStyle.Dashed,
    width: 1,
    labelBackgroundColor: theme.text2,
  } as const
  return {
    autoSize: true,
    layout: {
      attributionLogo: false,
      background: { type: ColorType.Solid, color: theme.ground },
      textColor: theme.text3,
      fontFamily: theme.font,
      fontSize: 12,
      panes: { separatorColor: theme.hair, enableResize: false },
    },
    grid: { vertLines: { visible: false }, horzLines: { color: theme.hair } },
    rightPriceScale: { borderVisible: false, minimumWidth: state.axisWidth },
    timeScale: {
      borderVisible: false,
      minimumHeight: timeAxisHeight,
      timeVisible: true,
      ...clockOptions(state.tfMs),
      allowBoldLabels: false,
      minBarSpacing: 1.5,
      maxBarSpacing: 40,
      tickMarkFormatter: (time: Time, kind: TickMarkType) =>
        state.format.axisTime(instantOf(time), kinds[kind]),
    },
    crosshair: { mode: CrosshairMode.Normal, vertLine: crosshair, horzLine: crosshair },
    // A vertical swipe scrolls the page, not the price: see `listenAxis`.
    handleScroll: { vertTouchDrag: false, mouseWheel: false },
    // A finger that is held shows it, until it is lifted.
    trackingMode: { exitMode: TrackingModeExitMode.OnTouchEnd },
    kineticScroll: { touch: true, mouse: false },
    handleScale: { axisPressedMouseMove: { time: true, price: true } },
    localization: {
      timeFormatter: (time: Time) => state.format.fullTime(instantOf(time)),
    },
  }
}
