-- Measures what each member stores, with all columns. This reads every row, so it is a transaction of its own, without the locks
-- of the other migrations.
select private.measure_storage();
