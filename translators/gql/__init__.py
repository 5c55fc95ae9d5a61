"""The parts that render ISO GQL (ISO/IEC 39075:2024); `translators.dialects.gql` joins them."""
