// Curves of the steps, and the histogram of delays with the theorem's bound.
import { axisBottom, axisLeft } from 'd3-axis'
import { scaleLinear, scaleLog } from 'd3-scale'
import { select } from 'd3-selection'
import { line } from 'd3-shape'
import { Phase } from './recording'

const WIDTH = 420
const HEIGHT = 170
const MARGIN = { left: 46, right: 12, top: 10, bottom: 34 }

function frame(holder: HTMLElement, label: string) {
  const root = select(holder)
  root.selectAll('svg').remove()
  return root
    .append('svg')
    .attr('viewBox', `0 0 ${WIDTH} ${HEIGHT}`)
    .attr('role', 'img')
    .attr('aria-label', label)
}

const CURVES = [
  ['moving', 'moving', 'var(--packet)', ''],
  ['waiting', 'waiting', 'var(--waiting)', '6 3'],
  ['landed', 'landed', 'var(--landed)', '2 3'],
  ['queue', 'longest queue', 'var(--followed)', '8 3 2 3'],
] as const

/** Packets that have landed are no curve where others are created all the time. */
const curvesOf = (open: boolean) => CURVES.filter(([key]) => !open || key !== 'landed')

export function drawCurves(holder: HTMLElement, phases: Phase[], current: number, step: number): void {
  const points: { t: number; moving: number; waiting: number; landed: number; queue: number }[] = []
  const starts: number[] = []
  let offset = 0
  for (const phase of phases) {
    starts.push(offset)
    phase.curve.forEach((c, t) => {
      if (t || !offset) points.push({ t: offset + t, ...c })
    })
    offset += phase.steps
  }
  const curves = curvesOf(phases.some((phase) => phase.open))
  const most = Math.max(1, ...points.map((p) => Math.max(...curves.map(([key]) => p[key]))))
  const x = scaleLinear([0, offset || 1], [MARGIN.left, WIDTH - MARGIN.right])
  const y = scaleLinear([0, most], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice()
  const last = points[points.length - 1]
  const svg = frame(holder, `Packets by step: ${offset} steps, ${last?.landed ?? 0} landed at the end, ` +
    `the most waiting in a step ${Math.max(...points.map((p) => p.waiting))}.`)
  svg.append('g').attr('transform', `translate(0,${HEIGHT - MARGIN.bottom})`).call(axisBottom(x).ticks(8))
  svg.append('g').attr('transform', `translate(${MARGIN.left},0)`).call(axisLeft(y).ticks(5))
  svg.append('text').attr('x', WIDTH - MARGIN.right).attr('y', HEIGHT - 4).attr('text-anchor', 'end').text('step')
  phases.forEach((phase, i) => {
    if (phases.length < 2) return
    const room = x(phase.steps) - x(0) > 5 * phase.name.length
    svg.append('line').attr('class', 'start').attr('x1', x(starts[i])).attr('x2', x(starts[i]))
      .attr('y1', MARGIN.top).attr('y2', HEIGHT - MARGIN.bottom)
    svg.append('text').attr('class', 'phase').attr('x', x(starts[i]) + 3).attr('y', MARGIN.top + 8)
      .text(room ? phase.name : '')
  })
  for (const [key, , colour, dash] of curves) {
    svg.append('path').attr('fill', 'none').attr('stroke', colour).attr('stroke-width', 1.8)
      .attr('stroke-dasharray', dash)
      .attr('d', line<(typeof points)[number]>((p) => x(p.t), (p) => y(p[key]))(points))
  }
  const now = x((starts[current] ?? 0) + step)
  svg.append('line').attr('class', 'now').attr('x1', now).attr('x2', now)
    .attr('y1', MARGIN.top).attr('y2', HEIGHT - MARGIN.bottom)
}

export function drawLegend(holder: HTMLElement, open: boolean): void {
  holder.innerHTML = ''
  for (const [, label, colour, dash] of curvesOf(open)) {
    const item = select(holder).append('span').attr('class', 'key')
    item.append('svg').attr('width', 28).attr('height', 8).attr('aria-hidden', 'true')
      .append('line').attr('x1', 0).attr('x2', 28).attr('y1', 4).attr('y2', 4)
      .attr('stroke', colour).attr('stroke-width', 2).attr('stroke-dasharray', dash)
    item.append('span').text(label)
  }
}

interface Rung {
  delay: number
  bound: number
  measured: number
}

/** Packets by delay, and, where a theorem speaks of it, the bound on the share that waits longer, logarithmically. */
export function drawDelays(holder: HTMLElement, phase: Phase, bound: any | undefined): void {
  const counts = phase.delays
  const ladder: Rung[] = bound?.applies && bound.ladder?.length && 'delay' in bound.ladder[0] ? bound.ladder : []
  const longest = Math.max(counts.length - 1, 1)
  const right = ladder.length ? Math.max(longest, ladder[ladder.length - 1].delay) : longest
  const most = Math.max(1, ...counts)
  const x = scaleLinear([0, right + 1], [MARGIN.left, WIDTH - MARGIN.right])
  const y = scaleLinear([0, most], [HEIGHT - MARGIN.bottom, MARGIN.top])
  const told = counts.map((n, d) => (n ? `${n} waited ${d}` : '')).filter(Boolean).slice(0, 12).join(', ')
  const svg = frame(holder, `Packets by delay in phase ${phase.name}: ${told}.`)
  svg.append('g').attr('transform', `translate(0,${HEIGHT - MARGIN.bottom})`)
    .call(axisBottom(x).ticks(Math.min(8, right + 1)).tickFormat((d) => String(d)))
  svg.append('g').attr('transform', `translate(${MARGIN.left},0)`).call(axisLeft(y).ticks(5))
  svg.append('text').attr('x', WIDTH - MARGIN.right).attr('y', HEIGHT - 4).attr('text-anchor', 'end')
    .text('steps of delay')
  svg.selectAll('rect').data(counts).join('rect')
    .attr('x', (_, d) => x(d) + 0.5).attr('width', Math.max(0.5, x(1) - x(0) - 1))
    .attr('y', (n) => y(n)).attr('height', (n) => y(0) - y(n)).attr('fill', 'var(--packet)')
  if (!ladder.length) return
  const least = Math.max(1e-12, Math.min(...ladder.map((r) => r.bound).filter((b) => b > 0)))
  const log = scaleLog([least, 1], [HEIGHT - MARGIN.bottom, MARGIN.top])
  svg.append('path').attr('fill', 'none').attr('stroke', 'var(--waiting)').attr('stroke-width', 2)
    .attr('stroke-dasharray', '6 3')
    .attr('d', line<Rung>((r) => x(r.delay), (r) => log(Math.max(least, r.bound)))(ladder))
}

/** Latency by load; a mark at the load that is played. Loads at which the network is saturated are hollow. */
export function drawLatency(holder: HTMLElement, points: any[], played: number): void {
  const known = points.filter((p) => p.latency.mean !== null)
  const tell = (p: any) =>
    `${p.offered}: ${Number(p.latency.mean.toPrecision(4))}${p.saturated ? ', saturated' : ''}`
  const svg = frame(holder, `Mean latency by load: ${known.map(tell).join('; ')}.`)
  const steady = known.filter((p) => !p.saturated)
  const most = Math.max(1, ...(steady.length ? steady : known).map((p) => p.latency.mean)) * 1.15
  const x = scaleLinear([0, Math.max(...points.map((p) => p.offered))], [MARGIN.left, WIDTH - MARGIN.right])
  const y = scaleLinear([0, most], [HEIGHT - MARGIN.bottom, MARGIN.top]).clamp(true)
  svg.append('g').attr('transform', `translate(0,${HEIGHT - MARGIN.bottom})`).call(axisBottom(x).ticks(8))
  svg.append('g').attr('transform', `translate(${MARGIN.left},0)`).call(axisLeft(y).ticks(5))
  svg.append('text').attr('x', WIDTH - MARGIN.right).attr('y', HEIGHT - 4).attr('text-anchor', 'end').text('load')
  svg.append('path').attr('fill', 'none').attr('stroke', 'var(--packet)').attr('stroke-width', 1.8)
    .attr('d', line<any>((p) => x(p.offered), (p) => y(p.latency.mean))(known))
  svg.selectAll('circle').data(known).join('circle').attr('r', 3.5)
    .attr('cx', (p) => x(p.offered)).attr('cy', (p) => y(p.latency.mean))
    .attr('fill', (p) => (p.saturated ? 'var(--paper)' : 'var(--packet)')).attr('stroke', 'var(--packet)')
  svg.append('line').attr('class', 'now').attr('x1', x(played)).attr('x2', x(played))
    .attr('y1', MARGIN.top).attr('y2', HEIGHT - MARGIN.bottom)
}
