"""The parts that render Spanner's GQL; `translators.dialects.spanner` joins them."""
