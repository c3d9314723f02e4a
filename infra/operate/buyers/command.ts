import { Command } from 'commander';
import type { Host } from '../options.ts';
import { eraseBuyerCommand } from './erase.ts';
import { exportBuyerCommand } from './export.ts';
import { scheduleErasuresCommand } from './schedule-erasures.ts';

/** `buyers`: exports and erases the personal data of a buyer. */
export const buyersCommand = (host: Host): Command =>
  new Command('buyers')
    .description('export and erase the personal data of a buyer')
    .addCommand(exportBuyerCommand(host))
    .addCommand(eraseBuyerCommand(host))
    .addCommand(scheduleErasuresCommand(host));
